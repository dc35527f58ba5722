import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { markDirty } from '../../../modules/menus/rebuilds/mark-dirty.ts';
import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { addRow, databaseNow, deleteRows, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let deps: SnapshotDeps;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;
let sauce: Awaited<ReturnType<MenuRows['modifier']>>;

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
  await deleteRows(database.db, 'outbox');
  place = await rows.restaurant();
  const prices = { [place.organizationId]: 25_000 };
  dish = await rows.dish({ ...place, prices });
  sauce = await rows.modifier(place.menuId, prices);
  await rows.link(await rows.group(place.menuId, dish.sizeId), sauce.itemId);
  await buildSnapshot(deps, place.organizationId);
});

const patch = () => patchAvailability(deps, place.organizationId);
type Row = {
  revision: number;
  etag: string;
  xmin: string;
  payload: Buffer;
  gzip: Buffer;
  br: Buffer;
  availability: Buffer;
};
async function stored(): Promise<Row> {
  const [row] = await database.db.query<Row>(
    `select revision, etag, xmin::text, payload, payload_gzip as gzip, payload_br as br, availability
       from snapshot where organization_id = $1`,
    [place.organizationId],
  );
  return row!;
}
async function shown() {
  const row = await stored();
  const menu = JSON.parse(row.payload.toString('utf8')) as {
    products: { variants: { available: boolean }[] }[];
    modifierGroups: { modifiers: { available: boolean }[] }[];
  };
  return {
    revision: row.revision,
    dishes: menu.products.flatMap((product) => product.variants.map(({ available }) => available)),
    modifiers: menu.modifierGroups.flatMap((group) =>
      group.modifiers.map(({ available }) => available),
    ),
    availability: JSON.parse(row.availability.toString('utf8')) as unknown,
  };
}

describe('a stop in a published menu', () => {
  test('[SNP-18] changes menu and availability, keeps the revision and sets a new ETag in every encoding', async () => {
    const before = await stored();
    await rows.stop(place.organizationId, dish.erpId);

    expect(await patch()).toEqual({ outcome: 'PATCHED', rebuild: false });
    const after = await stored();
    expect(await shown()).toEqual({
      revision: 1,
      dishes: [false],
      modifiers: [true],
      availability: {
        revision: 1,
        unavailableItemIds: [dish.erpId],
        unavailableVariantIds: [dish.variantId],
      },
    });
    expect(after.etag).not.toBe(before.etag);
    expect(gunzipSync(after.gzip).equals(after.payload)).toBe(true);
    expect(brotliDecompressSync(after.br).equals(after.payload)).toBe(true);
  });

  test('restores the same bytes and ETag when it ends, also for a modifier', async () => {
    const before = await stored();
    await rows.stop(place.organizationId, sauce.erpId);
    await patch();
    expect(await shown()).toMatchObject({ dishes: [true], modifiers: [false] });

    await deleteRows(database.db, 'mirror_stop_list');
    await patch();

    const after = await stored();
    expect(after.etag).toBe(before.etag);
    expect(after.payload.equals(before.payload)).toBe(true);
  });

  test('[SNP-50] removes a dish whose required choices are stopped or below the minimum', async () => {
    await updateRows(database.db, 'mirror_modifier_group', {
      minQuantity: 2,
      maxQuantity: 3,
      hasChildRestrictions: false,
    });
    await buildSnapshot(deps, place.organizationId);
    const dishes: boolean[][] = [];
    for (const balance of [0, 1.9, 2]) {
      await deleteRows(database.db, 'mirror_stop_list');
      await rows.stop(place.organizationId, sauce.erpId, { balance });
      await patch();
      dishes.push((await shown()).dishes);
    }

    expect(dishes).toEqual([[false], [false], [true]]);
  });

  test('[SNP-10] counts in active terminal groups, and in all groups while all are asleep', async () => {
    const group = (erpId: string) =>
      rows.insert('mirror_terminal_group', {
        organization_id: place.organizationId,
        erp_id: erpId,
        name: 'till',
        is_asleep: true,
        synchronized_at: new Date(),
      });
    const stoppedIn = '00000000-0000-4000-8000-00000000000a';
    await group(stoppedIn);
    const other = await group('00000000-0000-4000-8000-00000000000b');
    await rows.stop(place.organizationId, dish.erpId, { terminal_group_erp_id: stoppedIn });

    await patch();
    const night = (await shown()).dishes;
    await updateRows(database.db, 'mirror_terminal_group', { isAsleep: false }, { id: other });
    await patch();
    const morning = (await shown()).dishes;
    await updateRows(database.db, 'mirror_terminal_group', { isAsleep: false });
    await patch();
    const noon = (await shown()).dishes;

    expect({ night, morning, noon }).toEqual({ night: [false], morning: [true], noon: [false] });
  });

  test('writes nothing if it changes nothing', async () => {
    await rows.stop(place.organizationId, dish.erpId);
    await patch();
    const before = await stored();
    await rows.stop(place.organizationId, dish.erpId, { terminal_group_erp_id: 'second' });
    await rows.stop(place.organizationId, '00000000-0000-4000-8000-000000000001');

    expect(await patch()).toEqual({ outcome: 'UNCHANGED', rebuild: false });
    expect((await stored()).xmin).toBe(before.xmin);
  });

  test('appears in a rebuild of equal content too, which keeps the revision', async () => {
    await rows.stop(place.organizationId, dish.erpId);
    await markDirty(database.db, 'organizations-import', [place.organizationId]);

    expect(await buildSnapshot(deps, place.organizationId)).toEqual({
      outcome: 'PATCHED',
      revision: 1,
      pending: false,
    });
    expect(await shown()).toMatchObject({ revision: 1, dishes: [false] });
  });

  test('must exist in every terminal group with the setting ALL', async () => {
    await rows.setting('stoplist_terminals', 'ALL');
    const groups = await Promise.all(
      [1, 2].map(async () => {
        const row = await addRow(database.db, 'mirror_terminal_group', {
          organizationId: place.organizationId,
          erpId: randomUUID(),
          name: 'Касса',
          synchronizedAt: databaseNow(),
        });
        return row.erpId;
      }),
    );
    await rows.stop(place.organizationId, dish.erpId, { terminal_group_erp_id: groups[0] });
    await patch();
    expect(await shown()).toMatchObject({ dishes: [true] });

    await rows.stop(place.organizationId, dish.erpId, { terminal_group_erp_id: groups[1] });
    await patch();
    expect(await shown()).toMatchObject({ dishes: [false] });
  });

  test('[SNP-18] produces the state of the tables after concurrent patches', async () => {
    await rows.stop(place.organizationId, dish.erpId);
    await rows.stop(place.organizationId, sauce.erpId);

    const results = await Promise.all([patch(), patch(), patch()]);

    expect(results.map((result) => result.outcome).toSorted()).toEqual([
      'PATCHED',
      'UNCHANGED',
      'UNCHANGED',
    ]);
    expect(await shown()).toMatchObject({ dishes: [false], modifiers: [false] });
  });
});

describe('the setting HIDE', () => {
  const requests = () =>
    database.db.query<{ pending: boolean; event: string; payload: unknown }>(
      `select r.dirty_seq > r.built_seq as pending, o.event, o.payload from snapshot_request r
         left join outbox o on o.payload -> 'organizationIds' @> to_jsonb(r.organization_id) where r.organization_id = $1`,
      [place.organizationId],
    );

  test('makes a stopped dish unavailable immediately and triggers a rebuild that removes it', async () => {
    await rows.setting('stoplist_behaviour', 'HIDE');
    await rows.stop(place.organizationId, dish.erpId);

    expect(await patch()).toEqual({ outcome: 'PATCHED', rebuild: true });
    expect(await shown()).toMatchObject({ revision: 1, dishes: [false] });
    expect(await requests()).toEqual([
      {
        pending: true,
        event: 'CatalogChanged',
        payload: { organizationIds: [place.organizationId], reason: 'stop-list' },
      },
    ]);

    expect(await buildSnapshot(deps, place.organizationId)).toEqual({
      outcome: 'PUBLISHED',
      revision: 2,
      pending: false,
    });
    expect(await shown()).toEqual({
      revision: 2,
      dishes: [],
      modifiers: [],
      availability: {
        revision: 2,
        unavailableItemIds: [dish.erpId],
        unavailableVariantIds: [dish.variantId],
      },
    });
    expect(await patch()).toEqual({ outcome: 'UNCHANGED', rebuild: false });
  });

  test('triggers a rebuild that restores the dish when the stop ends', async () => {
    await rows.setting('stoplist_behaviour', 'HIDE');
    await rows.stop(place.organizationId, dish.erpId);
    await buildSnapshot(deps, place.organizationId);
    expect(await shown()).toMatchObject({ dishes: [] });

    await deleteRows(database.db, 'mirror_stop_list');
    expect(await patch()).toEqual({ outcome: 'PATCHED', rebuild: true });
    await buildSnapshot(deps, place.organizationId);

    expect(await shown()).toMatchObject({ revision: 3, dishes: [true], modifiers: [true] });
  });
});
