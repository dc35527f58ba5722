import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import {
  prepareSnapshot,
  type PreparedSnapshot,
} from '../../../modules/menus/snapshot/prepare-snapshot.ts';
import { publishSnapshot } from '../../../modules/menus/snapshot/publish-snapshot.ts';
import { markDirty } from '../../../modules/menus/rebuilds/mark-dirty.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { compileMenuSchema } from '../../support/menu-schema.ts';
import { addRow, databaseNow, deleteRows, selectRow, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let deps: Parameters<typeof buildSnapshot>[0];
let place: Awaited<ReturnType<MenuRows['restaurant']>>;

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  deps = {
    db: database.db,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
  };
});
afterAll(async () => database.close());
beforeEach(async () => {
  await updateRows(database.db, 'catalog_product', { status: 'ARCHIVED' });
  await deleteRows(database.db, 'setting');
  place = await rows.restaurant();
});

type Stored = {
  revision: number;
  etag: string;
  payload: Buffer;
  gzip: Buffer;
  br: Buffer;
  availability: Buffer;
};
type MenuJson = {
  revision: number;
  products: {
    id: number;
    variants: { id: number; price: number; available: boolean; modifierGroupIds: string[] }[];
  }[];
  modifierGroups: { id: string; modifiers: { id: string; available: boolean }[] }[];
};
const build = () => buildSnapshot(deps, place.organizationId);
const dish = (kopecks = 25_000) =>
  rows.dish({
    menuId: place.menuId,
    categoryId: place.categoryId,
    prices: { [place.organizationId]: kopecks },
  });

async function stored(): Promise<Stored> {
  const row = await selectRow(
    database.db,
    'snapshot',
    ['revision', 'etag', 'payload', 'payloadGzip as gzip', 'payloadBr as br', 'availability'],
    { organizationId: place.organizationId },
  );
  return row;
}
const parseMenu = (row: Stored) => JSON.parse(row.payload.toString('utf8')) as MenuJson;
const parseAvailability = (row: Stored) =>
  JSON.parse(row.availability.toString('utf8')) as {
    revision: number;
    unavailableItemIds: string[];
    unavailableVariantIds: number[];
  };
async function ready(): Promise<PreparedSnapshot> {
  const prepared = await prepareSnapshot(database.db, place.organizationId, new Date());
  if (prepared?.kind !== 'READY') throw new Error('nothing was prepared');
  return prepared;
}

describe('the first build of a menu', () => {
  test('[SNP-14, SNP-15] publishes revision 1 with equal bytes in every encoding and a digest as ETag', async () => {
    const { variantId } = await dish(25_050);

    const result = await build();
    const row = await stored();

    expect(result).toEqual({ outcome: 'PUBLISHED', revision: 1, pending: false });
    expect(gunzipSync(row.gzip).equals(row.payload)).toBe(true);
    expect(brotliDecompressSync(row.br).equals(row.payload)).toBe(true);
    expect(row.etag).toBe(`W/"${createHash('sha256').update(row.payload).digest('hex')}"`);
    expect(row.payload.toString('utf8')).toContain('"price":250.50');
    const valid = compileMenuSchema();
    expect(valid(parseMenu(row)) ? null : valid.errors).toBeNull();
    expect(parseMenu(row).products[0]!.variants[0]!.id).toBe(variantId);
    expect(parseAvailability(row)).toEqual({
      revision: 1,
      unavailableItemIds: [],
      unavailableVariantIds: [],
    });
  });

  test('produces an empty menu without products, and nothing for an inactive organization', async () => {
    expect(await build()).toMatchObject({ outcome: 'PUBLISHED', revision: 1 });
    expect(parseMenu(await stored()).products).toEqual([]);

    await updateRows(
      database.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: place.organizationId },
    );
    expect(await build()).toEqual({ outcome: 'INACTIVE', revision: null, pending: false });
  });
});

describe('a further build', () => {
  test('[SNP-14] publishes nothing for equal content but completes the request', async () => {
    await dish();
    await build();
    const before = await stored();
    await markDirty(database.db, 'organizations-import', [place.organizationId]);

    const result = await build();

    expect(result).toEqual({ outcome: 'UNCHANGED', revision: 1, pending: false });
    expect(await stored()).toEqual(before);
    const [request] = await database.db.db
      .selectFrom('snapshot_request')
      .where('organizationId', '=', place.organizationId)
      .select((row) => row('dirtySeq', '>', row.ref('builtSeq')).as('open'))
      .execute();
    expect(request).toEqual({ open: false });
  });

  test('publishes other content with the next revision and another ETag', async () => {
    const { sizeId } = await dish();
    await build();
    const before = await stored();
    await updateRows(database.db, 'mirror_price', { priceKopecks: 30000 }, { itemSizeId: sizeId });

    expect(await build()).toMatchObject({ outcome: 'PUBLISHED', revision: 2 });
    const after = await stored();
    expect(after.etag).not.toBe(before.etag);
    expect(parseMenu(after).revision).toBe(2);
    expect(parseMenu(after).products[0]!.variants[0]!.price).toBe(300);
  });

  test('[SNP-13] keeps the previous menu if it exceeds 1 MB, and is not requested again', async () => {
    const { productId } = await dish();
    await build();
    const before = await stored();
    await updateRows(
      database.db,
      'catalog_product',
      { subtitle: 'я'.repeat(600_000) },
      { id: productId },
    );
    await markDirty(database.db, 'organizations-import', [place.organizationId]);

    expect(await build()).toEqual({ outcome: 'TOO_LARGE', revision: null, pending: false });
    expect(await stored()).toEqual(before);
  });
});

describe('concurrent builds and patches', () => {
  test('publish a stop that begins between build and publication', async () => {
    const { erpId, variantId } = await dish();
    const prepared = await ready();
    await rows.stop(place.organizationId, erpId);
    expect(await patchAvailability(deps, place.organizationId)).toMatchObject({
      outcome: 'NO_SNAPSHOT',
    });

    await publishSnapshot(database.db, prepared);
    const row = await stored();

    expect(parseMenu(row).products[0]!.variants[0]!.available).toBe(false);
    expect(parseAvailability(row)).toEqual({
      revision: 1,
      unavailableItemIds: [erpId],
      unavailableVariantIds: [variantId],
    });
    expect(brotliDecompressSync(row.br).equals(row.payload)).toBe(true);
  });

  test('omit a stop that ends between build and publication of a later revision', async () => {
    const { erpId, sizeId } = await dish();
    await rows.stop(place.organizationId, erpId);
    await build();
    await updateRows(database.db, 'mirror_price', { priceKopecks: 30000 }, { itemSizeId: sizeId });
    const prepared = await ready();
    await deleteRows(database.db, 'mirror_stop_list');
    await patchAvailability(deps, place.organizationId);

    await publishSnapshot(database.db, prepared);

    expect(parseMenu(await stored())).toMatchObject({
      revision: 2,
      products: [{ variants: [{ available: true, price: 300 }] }],
    });
  });

  test('make a patch wait for a running first publication', async () => {
    const { erpId } = await dish();
    const prepared = await ready();
    let patch: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      // Locks like a publication that has already read the stops.
      await advisory.snapshot(tx, place.organizationId);
      await rows.stop(place.organizationId, erpId);
      patch = patchAvailability(deps, place.organizationId);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { organizationErpId, contentHash, index, guess } = prepared;
      await addRow(tx, 'snapshot', {
        organizationId: place.organizationId,
        organizationErpId,
        revision: 1,
        generatedAt: databaseNow(),
        etag: guess.encoded.etag,
        contentHash,
        payload: guess.encoded.identity,
        payloadGzip: guess.encoded.gzip,
        payloadBr: guess.encoded.br,
        availability: Buffer.from('{}'),
        stopIndex: index,
        productCount: 1,
      });
    });

    expect(await patch).toMatchObject({ outcome: 'PATCHED' });
    expect(parseMenu(await stored()).products[0]!.variants[0]!.available).toBe(false);
  });

  test('never replace a newer menu by one from older facts', async () => {
    const { sizeId } = await dish();
    const older = await ready();
    await updateRows(database.db, 'mirror_price', { priceKopecks: 30000 }, { itemSizeId: sizeId });
    await markDirty(database.db, 'organizations-import', [place.organizationId]);
    await build();

    expect(await publishSnapshot(database.db, older)).toMatchObject({
      outcome: 'SUPERSEDED',
      revision: 1,
      pending: false,
    });
    expect(parseMenu(await stored()).products[0]!.variants[0]!.price).toBe(300);
  });

  test('[SNP-14] publish once in competing first builds', async () => {
    await dish();

    const results = await Promise.all([build(), build(), build()]);

    expect(results.map((result) => result.outcome).toSorted()).toEqual([
      'PUBLISHED',
      'UNCHANGED',
      'UNCHANGED',
    ]);
    expect((await stored()).revision).toBe(1);
  });

  test('keep the request open for a change recorded during the build', async () => {
    await dish();
    await markDirty(database.db, 'organizations-import', [place.organizationId]);
    const prepared = await ready();
    await markDirty(database.db, 'organizations-import', [place.organizationId]);

    expect(await publishSnapshot(database.db, prepared)).toMatchObject({
      outcome: 'PUBLISHED',
      pending: true,
    });
    expect(await build()).toMatchObject({ outcome: 'UNCHANGED', pending: false });
  });
});
