import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkImports } from '../../../tools/check-imports.ts';
import { mirrorWrites } from '../../../tools/mirror-writers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** Files of the mirror that import nothing: they set the columns that say what an import still owes. */
const MARKS = ['app/mirror/menu/full-due.ts', 'app/mirror/mark-stop-lists-dirty.ts', 'app/mirror/runs/close-run.ts'];

test('no statement outside of the mirror writes a table of the mirror', async () => {
  const writes = await mirrorWrites(project);

  expect(writes.filter(({ file }) => !file.startsWith('app/mirror/'))).toEqual([]);
  expect(writes.length).toBeGreaterThan(25);
  for (const mark of MARKS) expect(writes.filter(({ file }) => file === mark)).toHaveLength(1);
});

describe('negative control', () => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryFolder('mirror-writers');
  });
  afterEach(async () => rm(root, { recursive: true }));

  async function write(file: string, source: string): Promise<void> {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), source);
  }

  test.each([
    ['an update', "tx.query(`update mirror_item set triage = 'LINKED'`)"],
    ['an update in capitals over two lines', 'tx.query(`UPDATE\n  ONLY mirror_item set name = $1`)'],
    ['an insert', 'tx.query("insert into mirror_price (item_size_id) values ($1)")'],
    ['a delete', 'tx.query(`delete from mirror_stop_list`)'],
    ['a copy', "copyFrom('copy mirror_item (name) from stdin')"],
    ['a truncation', 'tx.query("truncate table mirror_item")'],
    ['a merge', 'tx.query(`merge into mirror_item using new on true`)'],
    ['a computed table', "for (const table of ['mirror_item']) tx.query(`delete from ${table}`)"],
    ['an entity', "defineEntity({ name: 'Item', tableName: 'mirror_item' })"],
    ['the use of an entity', "import { MirrorItem } from '../../db/entities/mirror.ts'"],
    ['a typed update', "tx.db\n  .updateTable('mirror_item').set({ name: 'x' })"],
    ['a typed insert', "tx.db.insertInto(\n'mirror_price')"],
  ])('%s is found', async (_what, source) => {
    await write('app/catalog/edit.ts', source);
    expect((await mirrorWrites(root)).map(({ file }) => file)).toEqual(['app/catalog/edit.ts']);
  });

  test.each([
    ['a read', 'tx.query(`select name from mirror_item for share`)'],
    ['a write of another table', 'tx.query(`update catalog_product set name = (select name from mirror_item)`)'],
    ['a computed table without the mirror', 'tx.query(`delete from ${table}`)'],
  ])('%s is none', async (_what, source) => {
    await write('app/catalog/read.ts', source);
    expect(await mirrorWrites(root)).toEqual([]);
  });

  test.each(['catalog', 'binding', 'snapshot'])('the mirror that imports %s is found', async (capability) => {
    await write('app/mirror/import.ts', `import type { A } from '../${capability}/a.ts';`);
    const { violations } = await checkImports(root, 0);
    expect(violations.map(({ message }) => message)).toEqual([
      `mirror comes before ${capability} and may not import it: app/${capability}/a.ts`,
    ]);
  });
});
