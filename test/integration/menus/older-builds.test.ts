import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { REFERENCE_VERSION } from '../../../modules/media/media-base.ts';
import { MENU_MAX_BYTES, type Menu } from '../../../modules/menus/schemas/menu.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { markOlderBuilds } from '../../../modules/menus/snapshot/mark-older-builds.ts';
import { markDirty } from '../../../modules/menus/rebuilds/mark-dirty.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';
import { countRows, deleteRows, selectRow, updateRows } from '../../support/rows.ts';

let tables: Awaited<ReturnType<typeof snapshotTables>>;
let organizationId: number;
let dish: Awaited<ReturnType<typeof oneDish>>['dish'];

beforeAll(async () => {
  tables = await snapshotTables();
});
afterAll(() => tables.database.close());
beforeEach(async () => {
  const { db } = tables.database;
  await deleteRows(db, 'snapshot_revision');
  await deleteRows(db, 'snapshot');
  await deleteRows(db, 'snapshot_request');
  await deleteRows(db, 'outbox');
  const made = await oneDish(tables);
  [organizationId, dish] = [made.place.organizationId, made.dish];
  await markDirty(db, 'menu-import', [organizationId]);
  await build();
});

const build = () => buildSnapshot(tables.deps, organizationId);
const mark = () => markOlderBuilds(tables.deps);
const menu = async () => {
  const { payload } = await selectRow(tables.deps.db, 'snapshot', ['payload'], { organizationId });
  return JSON.parse(payload.toString('utf8')) as Menu;
};
const image = async () => (await menu()).products[0]!.images.main;
const isDirty = async () => {
  const row = await selectRow(tables.deps.db, 'snapshot_request', ['dirtySeq', 'builtSeq'], {
    organizationId,
  });
  return row.dirtySeq > row.builtSeq;
};

/** Publishes a revision without a version, like the former release. */
async function publishAsFormerRelease(): Promise<void> {
  const { db } = tables.deps;
  const stored = await selectRow(db, 'snapshot', '*', { organizationId });
  const older = stored.payload.toString('utf8').replaceAll(/,"width":\d+,"height":\d+/g, '');
  const revision = stored.revision + 1;
  await updateRows(db, 'snapshot', {
    revision,
    contentHash: 'of the former release',
    payload: Buffer.from(older),
  });
  await updateRows(
    db,
    'snapshot_revision',
    { revision, referenceVersion: null },
    { organizationId },
  );
}

describe('a rolling upgrade', () => {
  test('[SNP-57] marks a menu once if a worker of the former release has published it', async () => {
    expect(await image()).toMatchObject({ width: 400, height: 400 });
    await publishAsFormerRelease();
    expect(await image()).not.toHaveProperty('width');

    const marked = [await mark(), await mark()];

    expect(marked).toEqual([{ olderBuilds: 1 }, { olderBuilds: 0 }]);
    expect(await isDirty()).toBe(true);
    expect(await countRows(tables.deps.db, 'outbox', { event: 'CatalogChanged' })).toBe(1);
    expect(await build()).toMatchObject({ outcome: 'PUBLISHED', pending: false });
    expect(await image()).toMatchObject({ width: 400, height: 400 });
    expect(await mark()).toEqual({ olderBuilds: 0 });
  });

  test('[SNP-57] marks a menu again if a worker of the former release builds it after the mark', async () => {
    await publishAsFormerRelease();
    await mark();
    await publishAsFormerRelease();
    const { dirtySeq } = await selectRow(tables.deps.db, 'snapshot_request', ['dirtySeq'], {
      organizationId,
    });
    await updateRows(
      tables.deps.db,
      'snapshot_request',
      { builtSeq: dirtySeq },
      { organizationId },
    );

    expect(await mark()).toEqual({ olderBuilds: 1 });
  });

  test('[SNP-57] publishes nothing if the menu of the former release is equal', async () => {
    await updateRows(tables.deps.db, 'snapshot_revision', {
      referenceVersion: REFERENCE_VERSION - 1,
    });

    expect(await mark()).toEqual({ olderBuilds: 1 });
    expect(await build()).toMatchObject({ outcome: 'UNCHANGED', revision: 1 });
    expect(await mark()).toEqual({ olderBuilds: 0 });
  });

  test('[SNP-57] keeps a menu of a later release unchanged', async () => {
    await updateRows(tables.deps.db, 'snapshot_revision', {
      referenceVersion: REFERENCE_VERSION + 1,
    });

    expect(await mark()).toEqual({ olderBuilds: 0 });
  });

  test('[SNP-58] marks a menu that is too large or cannot be built only once', async () => {
    await publishAsFormerRelease();
    await mark();
    await updateRows(
      tables.deps.db,
      'catalog_product',
      { subtitle: 'x'.repeat(MENU_MAX_BYTES) },
      { id: dish.productId },
    );
    expect(await build()).toMatchObject({ outcome: 'TOO_LARGE', pending: false });
    const afterTooLarge = await mark();
    await updateRows(tables.deps.db, 'catalog_product', { subtitle: null }, { id: dish.productId });
    await updateRows(tables.deps.db, 'mirror_item_size', { weightGrams: -5 }, { id: dish.sizeId });
    await markDirty(tables.deps.db, 'menu-import', [organizationId]);
    await expect(build()).rejects.toThrow('breaks the public schema');

    expect(afterTooLarge).toEqual({ olderBuilds: 0 });
    expect(await mark()).toEqual({ olderBuilds: 0 });
  });
});
