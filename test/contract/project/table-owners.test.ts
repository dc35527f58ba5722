import { globSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkImports } from '../../../packages/dev/imports/check-imports.ts';
import { mayWriteForeignTables } from '../../../packages/dev/imports/import-rules.ts';
import { tableOwners, tableUses } from '../../../packages/dev/imports/table-owners.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** Files of the mirror that import nothing and set the columns with pending work. */
const MARKS = [
  'modules/mirror/menu/full-due.ts',
  'modules/mirror/mark-stop-lists-dirty.ts',
  'modules/mirror/runs/close-run.ts',
];

const usesOfProject = async () => {
  const owners = tableOwners(project);
  const files = globSync('{activities,api,erp,kernel,modules,platform,workers,workflows}/**/*.ts', {
    cwd: project,
  });
  const uses = await Promise.all(
    files.map(async (file) => tableUses(file, await readFile(join(project, file), 'utf8'), owners)),
  );
  return uses.flat();
};
const writesOfProject = async () => (await usesOfProject()).filter(({ does }) => does === 'writes');

test('every table has an owner, and every capability of app writes tables', async () => {
  const { tables, entities } = tableOwners(project);
  expect(tables.size).toBeGreaterThan(60);
  expect(entities.size).toBe(tables.size);
  expect((await writesOfProject()).length).toBeGreaterThan(100);
});

test('[MIR-20] no statement outside of the mirror writes a table of the mirror', async () => {
  const writes = (await writesOfProject()).filter(({ owner }) => owner === 'mirror');

  expect(
    writes.filter(
      ({ file }) => !file.startsWith('modules/mirror/') && file !== 'modules/registry.ts',
    ),
  ).toEqual([]);
  expect(writes.length).toBeGreaterThan(10);
  for (const mark of MARKS) expect(writes.map(({ file }) => file)).toContain(mark);
});

test('each exception to the ownership of tables is used by its file', async () => {
  const uses = await writesOfProject();
  const isUsed = (file: string, table: string) =>
    uses.some(
      (use) =>
        use.file.startsWith(file) && (table === 'all' || (use.table ?? 'computed') === table),
    );
  const idle = mayWriteForeignTables
    .flatMap(({ file, tables }) => [tables].flat().map((table) => ({ file, table })))
    .filter(({ file, table }) => !isUsed(file, table));
  expect(idle).toEqual([]);
});

describe('the check of table owners', () => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder('table-owners');
    await write(
      'modules/mirror/tables/mirror.ts',
      entity('MirrorItem', 'mirror_item') + entity('MirrorPrice', 'mirror_price'),
    );
    await write('modules/mirror/tables/staging.ts', entity('StageItem', 'stage_item'));
    await write('modules/catalog/tables/catalog.ts', entity('Product', 'catalog_product'));
    await write('modules/binding/tables/binding.ts', entity('BindingIncident', 'binding_incident'));
  });
  afterEach(async () => rm(root, { recursive: true }));

  const entity = (name: string, table: string) =>
    `export const ${name} = defineEntity({\n  name: '${name}',\n  tableName: '${table}',\n});\n`;

  async function write(file: string, source: string): Promise<void> {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), source);
  }
  /** Ignores SQL text, which another rule covers. */
  const problems = async () =>
    (await checkImports(root, 0)).violations
      .filter(({ message }) => !message.includes('statement as text'))
      .map(({ file, message }) => `${file} ${message}`);

  test.each([
    ['an update', "tx.query(`update mirror_item set triage = 'LINKED'`)"],
    [
      'an update in capitals over two lines',
      'tx.query(`UPDATE\n  ONLY mirror_item set name = $1`)',
    ],
    ['an insert', 'tx.query("insert into mirror_item (item_size_id) values ($1)")'],
    ['a delete', 'sql`delete from mirror_item`.execute(tx.db)'],
    ['a copy', "copyFrom('copy mirror_item (name) from stdin')"],
    ['a truncation', 'tx.query("truncate table mirror_item")'],
    ['a merge', 'sql`merge into mirror_item using new on true`'],
    [
      'a write inside a statement that reads',
      'sql`with gone as (delete from mirror_item returning id) select ${id}`',
    ],
    ['the use of an entity', "import { MirrorItem } from '../mirror/tables/mirror.ts'"],
    ['a typed update', "tx.db\n  .updateTable('mirror_item as item').set({ name: 'x' })"],
    ['a typed insert', "tx.db.insertInto(\n'mirror_item')"],
    ['a typed delete', "tx.db.deleteFrom('mirror_item')"],
    ['a typed merge', "tx.db.mergeInto('mirror_item')"],
  ])('reports %s of a foreign table', async (_what, source) => {
    await write('modules/catalog/edit.ts', source);
    expect(await problems()).toEqual([
      'modules/catalog/edit.ts mirror_item belongs to mirror: write it through a function of mirror',
    ]);
  });

  test.each([
    ['a statement', 'tx.query(`delete from ${table}`)'],
    ['a fragment', 'sql`insert into ${sql.table(name)} (id)`'],
    ['a typed statement', 'tx.db.deleteFrom(table)'],
  ])('reports %s that writes a computed table', async (_what, source) => {
    await write('modules/catalog/edit.ts', source);
    expect(await problems()).toEqual([
      'modules/catalog/edit.ts writes a table that the program puts in: name it, or list the file with its reason',
    ]);
  });

  test.each([
    ['a join as text', 'sql`select 1 from catalog_product join binding_incident using (id)`'],
    ['a typed read', "tx.db.selectFrom('binding_incident')"],
    [
      'a typed join',
      "tx.db.selectFrom('catalog_product as p').leftJoin('binding_incident as i', 'i.id', 'p.id')",
    ],
    ['a read of several', "tx.db.selectFrom(['catalog_product', 'binding_incident'])"],
  ])('reports %s of a table of a later capability', async (_what, source) => {
    await write('modules/catalog/read.ts', source);
    expect(await problems()).toEqual([
      'modules/catalog/read.ts catalog is below binding and may not read its table binding_incident',
    ]);
  });

  test.each([
    ['a read of an earlier capability', 'tx.query(`select name from mirror_item for share`)'],
    [
      'a write of a table of its own',
      'sql`update catalog_product set name = (select name from mirror_item)`',
    ],
    ['the use of an entity of its own', "import { Product } from './tables/catalog.ts'"],
    ['a type of a foreign entity', "import type { MirrorItem } from '../mirror/tables/mirror.ts'"],
    ['what a comment says', '// delete from mirror_item, then update mirror_price'],
    [
      'a set clause of an upsert',
      'sql`insert into catalog_product (id) values (1) on conflict (id) do update set id = ${id}`',
    ],
  ])('accepts %s', async (_what, source) => {
    await write('modules/catalog/read.ts', source);
    expect(await problems()).toEqual([]);
  });

  test.each(['catalog', 'binding', 'menus'])(
    'reports an import of %s by the mirror',
    async (capability) => {
      await write('modules/mirror/import.ts', `import type { A } from '../${capability}/a.ts';`);
      const { violations } = await checkImports(root, 0);
      expect(violations.map(({ message }) => message)).toEqual([
        `mirror is below ${capability} and may not import it: modules/${capability}/a.ts`,
      ]);
    },
  );
});
