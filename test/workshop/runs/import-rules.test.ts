import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkImports } from '../../../packages/dev/imports/check-imports.ts';
import { moduleLevels } from '../../../packages/dev/imports/import-rules.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

test('the project follows the import rules', async () => {
  const { modules, violations } = await checkImports(project);
  expect(violations).toEqual([]);
  expect(modules).toBeGreaterThan(60);
});

test('every module has exactly one level', () => {
  const names = moduleLevels.flat();
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(17);
});

describe('the check of imports', () => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder('import-rules');
  });
  afterEach(async () => rm(root, { recursive: true }));

  async function check(modules: Record<string, string>): Promise<string[]> {
    for (const [file, source] of Object.entries(modules)) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), source);
    }
    const { violations } = await checkImports(root, 0);
    return violations.map(({ file, line, message }) => `${file}:${line} ${message}`);
  }

  test.each([
    ['a static import', `import { a } from '../../../platform/db/a.ts';`],
    ['a type import where none is allowed', `import type { A } from '../../../platform/db/a.ts';`],
    ['a bare import', `import '../../../platform/db/a.ts';`],
    ['a re-export', `export { a } from '../../../platform/db/a.ts';`],
    ['a re-export of everything', `export * from '../../../platform/db/a.ts';`],
    ['a dynamic import', `await import('../../../platform/db/a.ts');`],
    ['a type query', `type A = import('../../../platform/db/a.ts').A;`],
  ])('reports %s of a forbidden zone', async (_case, source) => {
    expect(await check({ 'modules/mirror/rules/rule.ts': `\n${source}` })).toEqual([
      'modules/mirror/rules/rule.ts:2 modules/rules may not import platform/db: platform/db/a.ts',
    ]);
  });

  test('reports a value, but not a type, where only types may be imported', async () => {
    const problems = await check({
      'modules/mirror/rules/types.ts': `import type { Answer } from '../../../erp/menu.ts';\nimport { type Other } from '../../../erp/menu.ts';`,
      'modules/mirror/rules/values.ts': `import { type Answer, read } from '../../../erp/menu.ts';`,
      'workflows/process.ts': `import type * as activities from '../activities/all.ts';`,
    });
    expect(problems).toEqual([
      'modules/mirror/rules/values.ts:1 modules/rules may import only types of erp: erp/menu.ts',
    ]);
  });

  test('allows composition roots to import what they assemble, except workflows and the emulator', async () => {
    const problems = await check({
      'api/api.ts': `import { pool } from '../platform/db/pool.ts';\nimport { client } from '../erp/client.ts';`,
      'api/admin/routes.ts': `import { pool } from '../../platform/db/pool.ts';`,
      'workers/worker.ts': `import { order } from '../workflows/order.ts';\nimport { server } from '../packages/erp-emulator/server.ts';`,
      'packages/erp-emulator/server.ts': `import { log } from '../../platform/log.ts';`,
    });
    expect(problems).toEqual([
      'api/admin/routes.ts:1 api may import only types of platform/db: platform/db/pool.ts',
      'packages/erp-emulator/server.ts:1 packages/erp-emulator may not import platform: platform/log.ts',
      'workers/worker.ts:1 workers may not import workflows: workflows/order.ts',
      'workers/worker.ts:2 workers may not import packages/erp-emulator: packages/erp-emulator/server.ts',
    ]);
  });

  test('keeps packages and the product separate, but the demo may use the client and the emulator', async () => {
    const problems = await check({
      'packages/client/src/api.ts': `import { Menu } from '../../../modules/menus/schemas/menu.ts';`,
      'packages/client/dist/api.ts': `import { Menu } from '../../../modules/menus/schemas/menu.ts';`,
      'packages/demo/seed/run.ts': `import { Menu } from '../../../modules/menus/schemas/menu.ts';`,
      'packages/dev/seed.ts': `import { seed } from '../demo/seed/run.ts';\nimport { lock } from '../../tools/lock.ts';`,
      'packages/demo/seed/use.ts': `import { api } from '../../client/src/api.ts';\nimport { dishes } from '../../erp-emulator/data.ts';`,
      'examples/storefront/src/run.tsx': `import { Menu } from '../../../modules/menus/schemas/menu.ts';`,
      'api/admin/routes.ts': `import { api } from '../../packages/client/src/api.ts';`,
      'kernel/menu.ts': `import type { Finding } from '../packages/dev/check.ts';`,
      'packages/dev/check.ts': `import { Menu } from '../../modules/menus/schemas/menu.ts';\nimport { fixture } from '../../test/fixture.ts';`,
      'tools/start.ts': `import { seed } from '../packages/demo/seed/run.ts';\nimport { check } from '../packages/dev/check.ts';`,
    });
    expect(problems).toEqual([
      'api/admin/routes.ts:1 api may not import packages/client: packages/client/src/api.ts',
      'examples/storefront/src/run.tsx:1 examples/storefront may not import modules/schemas: modules/menus/schemas/menu.ts',
      'kernel/menu.ts:1 kernel may not import packages/dev: packages/dev/check.ts',
      'packages/client/src/api.ts:1 packages/client may not import modules/schemas: modules/menus/schemas/menu.ts',
      'packages/demo/seed/run.ts:1 packages/demo may not import modules/schemas: modules/menus/schemas/menu.ts',
      'packages/dev/seed.ts:1 packages/dev may not import packages/demo: packages/demo/seed/run.ts',
      'tools/start.ts:1 tools may not import packages/demo: packages/demo/seed/run.ts',
      'tools/start.ts:2 tools may not import packages/dev: packages/dev/check.ts',
    ]);
  });

  test('reports an answer that a route declares itself', async () => {
    const message = 'declares the shape of an answer: answers are declared in schemas/';
    expect(
      await check({
        'modules/catalog/schemas/catalog.ts':
          'export const Product = Named("Product", Type.Object({}));',
        'api/admin/inline.ts': 'defineRoute({ responses: {\n  200: Type.Object({ id: Id }) } });',
        'api/admin/named.ts':
          'const Product = Type.Object({});\ndefineRoute({ responses: { 200: Page(Product) } });',
        'api/admin/right.ts':
          "import { Product } from '../../modules/catalog/schemas/catalog.ts';\nconst Body = Type.Object({});\ndefineRoute({ body: Body, responses: { 200: Product, 204: null } });",
      }),
    ).toEqual([`api/admin/inline.ts:2 ${message}`, `api/admin/named.ts:2 ${message}`]);
  });

  test('reports a statement as text outside the files that may have one', async () => {
    const problems = await check({
      'modules/catalog/read.ts':
        "await tx.db.selectFrom('a').execute();\nawait tx.query('select 1');",
      'modules/catalog/write.ts': 'await tx\n  .execute(`update a set b = 1`);',
      'api/admin/read.ts': 'const rows = await deps.db.query<Row>(TEXT, [1]);',
      'tools/seed.ts': "await db.query('select 1');",
    });
    const message = 'hands the database a statement as text: use tx.db';
    expect(problems).toEqual([
      `api/admin/read.ts:1 ${message}`,
      `modules/catalog/read.ts:2 ${message}`,
      `modules/catalog/write.ts:2 ${message}`,
    ]);
  });

  test('reports imports of text statements outside the files that may have them', async () => {
    const problems = await check({
      'modules/catalog/read.ts': `import { textSql } from '../../platform/db/text-sql.ts';`,
      'modules/mirror/menu/merge-sizes.ts': `import { textSql } from '../../../platform/db/text-sql.ts';`,
      'modules/mirror/menu/menu-order.ts': 'export const ORDER = 1;',
      'api/admin/read.ts': `import type { TextSql } from '../../platform/db/text-sql.ts';`,
      'test/support/rows.ts': `import { textSql } from '../../platform/db/text-sql.ts';`,
    });
    expect(problems).toEqual([
      'api/admin/read.ts:1 may not import statements as text',
      'modules/catalog/read.ts:1 may not import statements as text',
      'modules/mirror/menu/menu-order.ts:1 is listed for statements as text and has none',
    ]);
  });

  test('reports uses of the entity manager outside kernel/edits.ts', async () => {
    const problems = await check({
      'modules/catalog/create.ts': 'export const create = (tx) =>\n  tx.em.persist(tx);',
      'modules/catalog/remove.ts': 'export const remove = ({ em }) => em.flush();',
      'kernel/edits.ts': 'export const save = (tx) => tx.em.flush();\nsql<Edited>`select 1`;',
      'test/support/rows.ts': 'export const rows = (tx) => tx.em.find();',
    });
    const message = 'uses the entity manager of the ORM: use kernel/edits.ts or tx.db';
    expect(problems).toEqual([
      `modules/catalog/create.ts:2 ${message}`,
      `modules/catalog/remove.ts:1 ${message}`,
    ]);
  });

  test('reports manual row types of whole statements', async () => {
    const problems = await check({
      'modules/catalog/literal.ts': 'const a = sql<{ id: number }>`\n  select id from a`;',
      'modules/catalog/imported.ts': `import type { Product } from './product.ts';\nconst a = sql<Product>\`with b as (select 1) select 2\`;`,
      'modules/catalog/alias.ts':
        'type A = { id: number };\nconst a = sql<A>`update a set b = 1 returning id`;',
      'modules/catalog/mixed.ts': `const a = sql<Row<'a', 'id'> & { b: number }>\`select id, 1 as b from a\`;`,
      'modules/catalog/columnless.ts': `const a = sql<Row<'a', never, { b: number }>>\`select 1 as b\`;`,
      'platform/db/executed.ts': 'const a = await sql<A>`${b} where c`.execute(db);',
      'modules/catalog/derived.ts': `export type A = Row<'a', 'id', { count: number }> & Nullable<Row<'b', 'name'>>;
        const a = sql<A>\`select id, name from a left join b\`;
        const b = await sql<Row<'a', 'id'>>\`select id from a\`.execute(db);
        const c = sql<number>\`count(*)\`;
        const d = sql\`select 1\`;`,
      'test/support/rows.ts': 'const a = sql<{ id: number }>`select id from a`;',
      'modules/ordering/promotions/discount-uses.ts': 'export const USES = 1;',
    });
    const message = 'claims the type of a row: derive it by Row';
    expect(problems).toEqual([
      `modules/catalog/alias.ts:2 ${message}`,
      `modules/catalog/columnless.ts:1 ${message}`,
      `modules/catalog/imported.ts:2 ${message}`,
      `modules/catalog/literal.ts:1 ${message}`,
      `modules/catalog/mixed.ts:1 ${message}`,
      'modules/ordering/promotions/discount-uses.ts:1 is listed for row types that are written by hand and has none',
      `platform/db/executed.ts:1 ${message}`,
    ]);
  });

  test('reports imports of a module above, and a module without a level', async () => {
    const problems = await check({
      'modules/mirror/apply.ts': `import { publish } from '../catalog/publish.ts';`,
      'modules/catalog/publish.ts': `import { item } from '../mirror/item.ts';`,
      'modules/binding/rules/decide.ts': `import type { Cart } from '../../ordering/schemas/cart.ts';`,
      'modules/menus/build.ts': `import { bind } from '../binding/bind.ts';\nimport { x } from '../unheard/x.ts';`,
    });
    expect(problems).toEqual([
      'modules/binding/rules/decide.ts:1 binding is below ordering and may not import it: modules/ordering/schemas/cart.ts',
      'modules/menus/build.ts:2 unheard has no level in import-rules.ts',
      'modules/mirror/apply.ts:1 mirror is below catalog and may not import it: modules/catalog/publish.ts',
    ]);
  });

  test('reports imports of a higher layer, also of types alone', async () => {
    const problems = await check({
      'platform/db/row.ts': `import type { Tables } from '../../modules/registry.ts';`,
      'platform/temporal.ts': `import type { Queue } from '../kernel/pure/queues.ts';`,
      'kernel/outbox.ts': `import type { Tables } from '../modules/registry.ts';`,
      'kernel/events/delivery.ts': `import { build } from '../../modules/menus/build.ts';`,
      'modules/event-listeners.ts': `import { LISTENERS } from './menus/listeners.ts';`,
      'modules/menus/build.ts': `import type { Deps } from '../event-listeners.ts';`,
      'workers/worker.ts': `import { all } from '../modules/event-listeners.ts';`,
    });
    expect(problems).toEqual([
      'kernel/events/delivery.ts:1 kernel may not import modules: modules/menus/build.ts',
      'kernel/outbox.ts:1 kernel may not import registries: modules/registry.ts',
      'modules/menus/build.ts:1 modules may not import registries: modules/event-listeners.ts',
      'platform/db/row.ts:1 platform/db may not import registries: modules/registry.ts',
      'platform/temporal.ts:1 platform may not import kernel/pure: kernel/pure/queues.ts',
    ]);
  });

  test('reports circles of imports, also of types alone, and a file that imports itself', async () => {
    const problems = await check({
      'kernel/a.ts': `import { b } from './b.ts';`,
      'kernel/b.ts': `import type { C } from './c.ts';`,
      'kernel/c.ts': `import type { A } from './a.ts';\nimport { end } from './end.ts';`,
      'kernel/end.ts': 'export const end = 1;',
      'kernel/start.ts': `import { a } from './a.ts';`,
      'kernel/self.ts': `export * from './self.ts';`,
    });
    expect(problems).toEqual([
      'kernel/a.ts:1 is in a circle of imports: kernel/a.ts, kernel/b.ts, kernel/c.ts',
      'kernel/self.ts:1 is in a circle of imports: kernel/self.ts',
    ]);
  });

  test('reports circles between modules of one level although no file is in a circle', async () => {
    const problems = await check({
      'modules/access/sign-in.ts': `import { rebuild } from '../menus/rebuilds/rebuild.ts';`,
      'modules/access/roles.ts': 'export const roles = [];',
      'modules/menus/rebuilds/rebuild.ts': 'export const rebuild = 1;',
      'modules/menus/rebuilds/rules/who.ts': `import type { Role } from '../../../access/rules/role.ts';`,
      'modules/access/rules/role.ts': 'export type Role = string;',
      'modules/media/upload.ts': `import { notify } from '../notifications/notify.ts';`,
      'modules/notifications/notify.ts': 'export const notify = 1;',
    });
    expect(problems).toEqual([
      'modules/access:1 is in a circle of modules: access, menus/rebuilds',
    ]);
  });

  test('reports clocks, random numbers and Node in rules and workflows', async () => {
    const problems = await check({
      'modules/mirror/rules/clock.ts': [
        'Temporal.Now.instant();',
        'Date.now();',
        'new Date();',
        'new Date(0);',
        'Math.random();',
        'globalThis.Math.random();',
        `import { readFile } from 'node:fs';`,
        'Temporal.Duration.from({ hours: 1 });',
      ].join('\n'),
      'workflows/clock.ts': `import fs from 'fs';\nconst later: Temporal.Instant | null = null;\nTemporal.Now.instant();`,
    });
    const places = new Set(problems.map((problem) => problem.slice(0, problem.indexOf(' '))));
    expect([...places]).toEqual([
      'modules/mirror/rules/clock.ts:1',
      'modules/mirror/rules/clock.ts:2',
      'modules/mirror/rules/clock.ts:3',
      'modules/mirror/rules/clock.ts:5',
      'modules/mirror/rules/clock.ts:6',
      'modules/mirror/rules/clock.ts:7',
      'workflows/clock.ts:1',
      'workflows/clock.ts:2',
      'workflows/clock.ts:3',
    ]);
  });

  test('reports a computed import and an unknown folder', async () => {
    const problems = await check({
      'erp/load.ts': `await import(name);\nimport { x } from '../helpers/x.ts';`,
    });
    expect(problems).toEqual([
      'erp/load.ts:1 imports a module whose name is computed',
      'erp/load.ts:2 erp may not import helpers: helpers/x.ts',
    ]);
  });

  test('fails if it finds no modules', async () => {
    const { modules, violations } = await checkImports(root);
    expect(modules).toBe(0);
    expect(violations).toHaveLength(1);
  });
});
