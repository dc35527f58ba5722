/** Who may import whom, as data; `packages/dev/imports/check-imports.ts` applies it. The reasons are in docs/architecture.md. */

/** `types` allows only imports that are erased. */
export type Access = 'all' | 'types';

const every = [
  'domain',
  'contracts',
  'platform',
  'db',
  'erp',
  'app',
  'activities',
  'api',
  'workers',
  'packages/erp-emulator',
  'packages/demo',
  'migrations',
  'tools',
  'bench',
] as const;

const all = (layers: readonly string[]): Record<string, Access> =>
  Object.fromEntries(layers.map((layer) => [layer, 'all']));

/** What each top folder may import; a folder that is not named is forbidden, and so is every unknown folder. */
export const layers: Record<string, Record<string, Access>> = {
  // What the rules of a menu make is what the storefront API answers: its types come from the declared answers.
  domain: { contracts: 'types', ...all(['domain']) },
  contracts: all(['domain', 'contracts']),
  platform: all(['contracts', 'platform']),
  db: all(['domain', 'contracts', 'platform', 'db', 'migrations']),
  migrations: all(['contracts', 'migrations']),
  erp: { domain: 'types', ...all(['platform', 'erp']) },
  app: all(['domain', 'contracts', 'platform', 'db', 'erp', 'app']),
  workflows: { activities: 'types', ...all(['domain', 'contracts', 'workflows']) },
  activities: all(['domain', 'contracts', 'platform', 'app', 'activities']),
  api: all(['domain', 'contracts', 'platform', 'app', 'api']),
  workers: all(['contracts', 'platform', 'app', 'activities', 'workers']),
  'packages/erp-emulator': all(['packages/erp-emulator']),
  tools: all(every.filter((layer) => layer !== 'bench')),
  // A measurement runs the same real processes as an end-to-end test.
  bench: { ...all(every), 'packages/dev': 'all', test: 'all' },
  test: { ...all([...every, 'packages/client', 'packages/dev']), workflows: 'all', test: 'all' },
  'packages/dev': all([...every, 'packages/client', 'packages/dev', 'test']),
  'packages/client': all(['packages/client']),
  // The demo knows the product by its APIs alone.
  'packages/demo': all(['packages/client', 'packages/demo', 'packages/erp-emulator']),
};

/** Composition roots assemble every layer; workflows they name only by path, because those run in the sandbox. */
export const compositionRoots = [
  'api/api.ts',
  'workers/worker.ts',
  'workers/schedules-apply.ts',
  'packages/erp-emulator/main.ts',
  'tools/',
];
export const rootMayImport = all(
  every.filter((layer) => !['tools', 'bench'].includes(layer) && !layer.startsWith('packages/')),
);

/** Capabilities from the foundation upwards: a capability imports its own level and the levels before it. */
export const capabilityLevels: readonly (readonly string[])[] = [
  ['rebuilds'],
  ['settings', 'audit', 'access', 'clients', 'notifications', 'media', 'franchise'],
  ['connections'],
  ['mirror'],
  ['webhooks'],
  ['catalog'],
  ['offers'],
  ['binding', 'snapshot'],
  ['storefront'],
  ['fulfillment'],
  ['compensation'],
  ['ordering'],
];

/** The layers whose files belong to capabilities. */
export const capabilityLayers = ['domain', 'contracts', 'db', 'erp', 'app', 'workflows', 'activities', 'api'];

/**
 * `app/events/` delivers the outbox and knows no capability: each one exports its listeners, and the files in `assembledIn` put them
 * together. Only composition roots and tests may import those: a capability that did would know all the others.
 */
export const events = {
  folder: 'app/events/',
  mayNotImportCapabilitiesOf: ['app', 'domain', 'erp', 'activities'],
  assembledIn: ['app/event-listeners.ts'],
};

/** Layers whose statements are typed (docs/decisions/0031). */
export const typedLayers = [
  'domain',
  'contracts',
  'platform',
  'erp',
  'app',
  'activities',
  'api',
  'workers',
  'workflows',
];

/** The files of these layers that may hand the database a statement as text, and why. */
export const textStatements: Readonly<Record<string, string>> = {
  'app/mirror/menu/copy-rows.ts': 'COPY',
  'app/mirror/menu/delete-vanished.ts': 'merge of the menu import',
  'app/mirror/menu/menu-order.ts': 'merge of the menu import',
  'app/mirror/menu/merge-items.ts': 'merge of the menu import',
  'app/mirror/menu/merge-menu.ts': 'merge of the menu import',
  'app/mirror/menu/merge-modifiers.ts': 'merge of the menu import',
  'app/mirror/menu/merge-rows.ts': 'merge of the menu import, with tables that are computed',
  'app/mirror/menu/merge-sizes.ts': 'merge of the menu import',
  'app/mirror/menu/staged-batches.ts': 'temporary tables of the menu import',
  'app/storefront/listen.ts': 'LISTEN',
  'platform/query-workflow.ts': 'asks a workflow and not the database',
};

/** Layers that must run the same in the sandbox of a workflow as in a unit test. */
export const withoutNodeBuiltins = ['domain', 'workflows'];

/** Uses of globals that make a result depend on the moment or on chance. */
export const bannedUses: readonly { layer: string; uses: readonly string[]; reason: string }[] = [
  {
    layer: 'domain',
    uses: [
      'Temporal.Now',
      'Date.now',
      'Date()',
      'new Date()',
      'Math.random',
      'performance.now',
      'crypto.randomUUID',
      'crypto.getRandomValues',
    ],
    reason: 'rules get time and chance as facts',
  },
  { layer: 'workflows', uses: ['Temporal'], reason: 'the SDK does not make it deterministic' },
];

/** Fewer modules than this mean that the checker looked at the wrong place. */
export const minimumModules = 60;

/** The layers in which a statement may stand. */
export const layersWithTables = ['activities', 'api', 'app', 'db', 'domain', 'erp', 'platform', 'workers', 'workflows'];

/**
 * Files that write tables of which they are not the owner, or tables that the program puts in (`computed`). Every other file of a
 * capability writes by name, and only the tables that the file of the same name in `db/entities/` declares.
 */
export const mayWriteForeignTables: readonly {
  file: string;
  tables: 'all' | 'computed' | readonly string[];
  reason: string;
}[] = [
  { file: 'db/outbox.ts', tables: ['outbox'], reason: 'every capability leaves its events in its own transaction' },
  { file: 'app/edits.ts', tables: 'computed', reason: 'writes the table that its caller owns and names' },
  { file: 'app/retention.ts', tables: 'all', reason: 'deletes what is older than its capability keeps it' },
  { file: 'app/rotate-secrets.ts', tables: 'computed', reason: 'encrypts every stored secret again' },
  { file: 'app/mirror/', tables: 'computed', reason: 'staging and merges treat the tables of the mirror alike' },
];
