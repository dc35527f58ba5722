/** Data for `check-imports.ts`. Reasons: docs/architecture.md. */

/** `types` allows only imports of types. */
export type Access = 'all' | 'types';

/**
 * The first match counts. Files directly in `modules/` are registries of all modules; that of
 * workflows is part of their bundle.
 */
export const zones: readonly { zone: string; pattern: RegExp }[] = [
  { zone: 'platform/pure', pattern: /^platform\/pure\// },
  { zone: 'kernel/pure', pattern: /^kernel\/pure\// },
  { zone: 'kernel/tables', pattern: /^kernel\/tables\// },
  { zone: 'platform/db', pattern: /^platform\/db\// },
  { zone: 'modules/rules', pattern: /^modules\/(?:[^/]+\/){1,2}rules\// },
  { zone: 'modules/schemas', pattern: /^modules\/(?:[^/]+\/){1,2}schemas\// },
  { zone: 'modules/messages', pattern: /^modules\/(?:[^/]+\/){1,2}messages\// },
  { zone: 'modules/tables', pattern: /^modules\/(?:[^/]+\/){1,2}tables\// },
  { zone: 'modules', pattern: /^modules\/[^/]+\// },
  { zone: 'workflow registry', pattern: /^modules\/workflows\.ts$/ },
  { zone: 'registries', pattern: /^modules\/[^/]+\.ts$/ },
];

const all = (names: readonly string[]): Record<string, Access> =>
  Object.fromEntries(names.map((name) => [name, 'all']));

const pure = ['platform/pure', 'kernel/pure'];
const kernel = [...pure, 'kernel', 'kernel/tables'];

const modules = [
  'modules',
  'modules/rules',
  'modules/schemas',
  'modules/messages',
  'modules/tables',
];

const registries = ['workflow registry', 'registries'];

const product = [
  ...kernel,
  ...modules,
  ...registries,
  'platform',
  'platform/db',
  'erp',
  'activities',
  'api',
  'workers',
];

const installed = [...product, 'migrations', 'tools'];
const everything = [...installed, 'packages/erp-emulator', 'packages/demo'];

export const imports: Record<string, Record<string, Access>> = {
  'platform/pure': all(['platform/pure']),
  'kernel/pure': all(pure),
  'kernel/tables': all([...pure, 'kernel/tables']),
  kernel: all([...kernel, 'platform', 'platform/db']),
  platform: { 'platform/db': 'types', ...all(['platform/pure', 'platform']) },
  'platform/db': all(['platform/pure', 'platform', 'platform/db']),
  erp: all([...pure, 'platform', 'erp']),
  migrations: all([...pure, 'migrations']),
  'modules/rules': { 'modules/schemas': 'types', erp: 'types', ...all([...pure, 'modules/rules']) },
  'modules/schemas': all([...pure, 'modules/rules', 'modules/schemas']),
  'modules/messages': {
    'modules/schemas': 'types',
    ...all([...pure, 'modules/rules', 'modules/messages']),
  },
  'modules/tables': {
    'modules/rules': 'types',
    'modules/schemas': 'types',
    platform: 'types',
    ...all([...pure, 'kernel/tables', 'modules/tables']),
  },
  modules: all([...kernel, ...modules, 'platform', 'platform/db', 'erp']),
  registries: all([...kernel, ...modules, 'registries', 'platform', 'platform/db', 'erp']),
  'workflow registry': all(['modules/messages']),
  workflows: {
    activities: 'types',
    ...all([...pure, 'modules/rules', 'modules/messages', 'workflow registry', 'workflows']),
  },
  activities: {
    registries: 'types',
    'platform/db': 'types',
    ...all([...kernel, ...modules, 'platform', 'erp', 'activities']),
  },
  api: {
    registries: 'types',
    'platform/db': 'types',
    ...all([...kernel, ...modules, 'platform', 'api']),
  },
  workers: {
    'platform/db': 'types',
    ...all([...kernel, ...modules, ...registries, 'platform', 'activities', 'workers']),
  },
  'packages/client': all(['packages/client']),
  'packages/erp-emulator': all(['packages/erp-emulator']),
  // The demo may use only the product's APIs.
  'packages/demo': all(['packages/client', 'packages/demo', 'packages/erp-emulator']),
  'packages/create-carte-shop': all(['packages/create-carte-shop']),
  'packages/docs-site': all(['packages/docs-site']),
  // The console may use only the published client, by its name.
  'packages/console': all(['packages/console']),
  // The storefront may use only the published client, by its name.
  'examples/storefront': all(['examples/storefront']),
  // packages/dev uses the tools; the tools start packages as processes.
  'packages/dev': all([
    ...installed,
    'packages/erp-emulator',
    'packages/client',
    'packages/dev',
    'workflows',
    'test',
  ]),
  tools: all(installed),
  // Benchmarks run the same processes as end-to-end tests.
  bench: all([...everything, 'packages/dev', 'bench', 'test']),
  test: all([
    ...everything,
    'packages/client',
    'packages/dev',
    'packages/console',
    'packages/docs-site',
    'examples/storefront',
    'workflows',
    'bench',
    'test',
  ]),
};

/** These files refer to workflows only by path, because workflows run in the sandbox. */
export const compositionRoots = [
  'api/api.ts',
  'workers/worker.ts',
  'workers/schedules-apply.ts',
  'workers/temporal-update.ts',
  'packages/erp-emulator/main.ts',
  'tools/',
];

export const rootMayImport = all(product);

/**
 * A module imports its own and lower levels. `menus/rebuilds` is nested: every change that makes
 * menus outdated flags them in its transaction.
 */
export const moduleLevels: readonly (readonly string[])[] = [
  ['menus/rebuilds', 'access'],
  ['notifications', 'settings', 'media', 'events'],
  ['connections'],
  ['mirror'],
  ['erp-webhooks', 'catalog'],
  ['binding'],
  ['menus'],
  ['delivery'],
  ['gifts'],
  ['ordering'],
  ['gauges'],
  ['sync-status'],
];

/** docs/decisions/0031 */
export const typedZones = [
  'kernel',
  ...modules,
  'registries',
  'platform',
  'erp',
  'activities',
  'api',
  'workers',
  'workflows',
];

export const textStatements: Readonly<Record<string, string>> = {
  'modules/mirror/menu/copy-rows.ts': 'COPY',
  'modules/mirror/menu/delete-vanished.ts': 'merge of the menu import',
  'modules/mirror/menu/menu-order.ts': 'merge of the menu import',
  'modules/mirror/menu/merge-items.ts': 'merge of the menu import',
  'modules/mirror/menu/merge-menu.ts': 'merge of the menu import',
  'modules/mirror/menu/merge-modifiers.ts': 'merge of the menu import',
  'modules/mirror/menu/merge-rows.ts': 'merge of the menu import, with tables that are computed',
  'modules/mirror/menu/merge-sizes.ts': 'merge of the menu import',
  'modules/mirror/menu/staged-batches.ts': 'temporary tables of the menu import',
  'kernel/query-workflow.ts': 'asks a workflow and not the database',
};

/** Only the files above may import this module. */
export const textSqlModule = 'platform/db/text-sql.ts';

/** Files that may use the entity manager. Others use Kysely (docs/decisions/0031). */
export const entityManagerFiles: readonly string[] = ['kernel/edits.ts'];

/** Files whose `sql` statements may have a manual row type, with the reason. */
export const claimedRows: Readonly<Record<string, string>> = {
  'kernel/edits.ts': 'the caller names the table',
  'platform/db/locks.ts': 'the lock prover finds locks by their statements',
  'modules/move-reasons.ts': 'a list names the tables and their columns',
  'modules/retention.ts': 'a list names the tables and their columns',
  'modules/rotate-secrets.ts': 'a list names the tables and their columns',
  'modules/catalog/products/list-products.ts': 'a total and a list of ids, both computed',
  'modules/connections/erp-calls/erp-circuits.ts': 'computed by a statement that writes in `with`',
  'modules/connections/erp-calls/erp-limiter.ts': 'computed by a statement that writes in `with`',
  'modules/connections/erp-calls/erp-token-store.ts': 'returns the clock of the database',
  'modules/gifts/clients/client-copy.ts': 'all columns of the tables of a list',
  'modules/mirror/menu/shrink-guard.ts': 'two counts over temporary tables',
  'modules/gauges/read-rows.ts': 'counts of notifications, all computed',
  'modules/sync-status/read-work.ts': 'counts by kind, all computed',
  'modules/ordering/checkout/order-limits.ts': 'counts of a statement over lists of keys',
  'modules/ordering/promotions/discount-uses.ts': 'computed by a statement that writes in `with`',
  'modules/ordering/cart/dish-facts.ts': 'lists of rows as JSON, whose own types are derived',
};

/**
 * Zones without Node's builtins, because they must behave in the workflow sandbox as in a unit
 * test.
 */
export const withoutNodeBuiltins = [
  ...pure,
  'modules/rules',
  'modules/messages',
  'workflow registry',
  'workflows',
];

const clocksAndChance = [
  'Temporal.Now',
  'Date.now',
  'Date()',
  'new Date()',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
];

export const bannedUses: readonly { zone: string; uses: readonly string[]; reason: string }[] = [
  { zone: 'modules/rules', uses: clocksAndChance, reason: 'rules get time and chance as facts' },
  { zone: 'platform/pure', uses: clocksAndChance, reason: 'rules get time and chance as facts' },
  { zone: 'kernel/pure', uses: clocksAndChance, reason: 'rules get time and chance as facts' },
  { zone: 'workflows', uses: ['Temporal'], reason: 'the SDK does not make it deterministic' },
];

/** Fewer modules mean that the checker read the wrong folder. */
export const minimumModules = 600;

export const zonesWithTables = [...product, 'workflows'];

/** Files that write tables of other owners, or tables named at run time (`computed`). */
export const mayWriteForeignTables: readonly {
  file: string;
  tables: 'all' | 'computed' | readonly string[];
  reason: string;
}[] = [
  { file: 'modules/registry.ts', tables: 'all', reason: 'combines the entities of all modules' },
  {
    file: 'kernel/outbox.ts',
    tables: ['outbox'],
    reason: 'every capability leaves its events in its own transaction',
  },
  {
    file: 'kernel/edits.ts',
    tables: 'computed',
    reason: 'writes the table that its caller owns and names',
  },
  {
    file: 'modules/retention.ts',
    tables: 'all',
    reason: 'deletes what is older than its capability keeps it',
  },
  {
    file: 'modules/move-reasons.ts',
    tables: 'computed',
    reason: 'moves what former releases have stored as text',
  },
  {
    file: 'modules/rotate-secrets.ts',
    tables: 'computed',
    reason: 'encrypts every stored secret again',
  },
  {
    file: 'modules/mirror/',
    tables: 'computed',
    reason: 'staging and merges treat the tables of the mirror alike',
  },
];
