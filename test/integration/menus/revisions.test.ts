import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  buildSnapshot,
  type SnapshotDeps,
} from '../../../modules/menus/snapshot/build-snapshot.ts';
import {
  deleteOldRevisions,
  diffRevisions,
  listRevisions,
} from '../../../modules/menus/snapshot/revisions.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import {
  endDuePin,
  pinRevision,
  unpinRevision,
} from '../../../modules/menus/snapshot/pin-revision.ts';
import {
  prepareSnapshot,
  type PreparedSnapshot,
} from '../../../modules/menus/snapshot/prepare-snapshot.ts';
import { publishSnapshot } from '../../../modules/menus/snapshot/publish-snapshot.ts';
import { getSnapshotStatus } from '../../../modules/menus/snapshot/snapshot-status.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import type { MenuRows } from '../../support/menu-rows.ts';
import { oneDish, snapshotTables } from '../../support/one-dish.ts';
import {
  ago,
  databaseNow,
  deleteRows,
  not,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof snapshotTables>>['database'];
let rows: MenuRows;
let deps: SnapshotDeps;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;

beforeAll(async () => {
  ({ database, rows, deps } = await snapshotTables());
});
afterAll(async () => database.close());
/** Each restaurant starts with a dish «Щи» for 250.00, published as revision 1. */
beforeEach(async () => {
  ({ place, dish } = await oneDish({ database, rows }));
  await rename('Щи');
  await build();
});

const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000);
const build = () => buildSnapshot(deps, place.organizationId);
const pin = (revision: number, until = IN_AN_HOUR()) =>
  pinRevision(deps, STAFF, place.organizationId, { revision, reason: 'Ошибка в меню', until });
const unpin = () => unpinRevision(deps, STAFF, place.organizationId, { reason: 'Исправлено' });
const rename = (name: string) =>
  updateRows(database.db, 'catalog_product', { name }, { id: dish.productId });
const reprice = (kopecks: number) =>
  updateRows(database.db, 'mirror_price', { priceKopecks: kopecks }, { itemSizeId: dish.sizeId });

type Shown = { name: string; variants: { id: number; price: number; available: boolean }[] }[];
async function served(): Promise<{ revision: number; products: Shown }> {
  const row = await selectRow(database.db, 'snapshot', ['payload'], {
    organizationId: place.organizationId,
  });
  const { revision, products } = JSON.parse(row.payload.toString('utf8')) as {
    revision: number;
    products: Shown;
  };
  return { revision, products };
}
const kept = async () =>
  (await listRevisions(database.db, place.organizationId, { page: 1, size: 50 })).items;
async function ready(): Promise<PreparedSnapshot> {
  const prepared = await prepareSnapshot(database.db, place.organizationId, new Date());
  if (prepared?.kind !== 'READY') throw new Error('nothing was prepared');
  return prepared;
}
async function renamed(): Promise<void> {
  await rename('Борщ');
  expect(await build()).toMatchObject({ outcome: 'PUBLISHED', revision: 2 });
}

describe('the revisions of a menu', () => {
  test('grow by one with each publication, but not with a patch or an equal build', async () => {
    await build();
    await rows.stop(place.organizationId, dish.erpId);
    await patchAvailability(deps, place.organizationId);
    await renamed();

    expect(await kept()).toMatchObject([
      { revision: 2, supersededAt: null, restoredFrom: null, productCount: 1, isPinned: false },
      {
        revision: 1,
        supersededAt: expect.any(Date),
        restoredFrom: null,
        productCount: 1,
        isPinned: false,
      },
    ]);
  });

  test('show differences by product and field, from the served one by default', async () => {
    await rename('Борщ');
    await reprice(30_000);
    const second = await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } });
    await build();

    const diff = await diffRevisions(database.db, place.organizationId, { from: 1 });

    expect(diff).toMatchObject({
      from: 1,
      to: 2,
      modifierGroups: { added: [], removed: [], changed: [] },
    });
    expect(diff.products.added).toMatchObject([{ id: second.productId }]);
    expect(diff.products.changed).toEqual([
      {
        id: dish.productId,
        name: 'Борщ',
        fields: [
          { field: 'name', before: 'Щи', after: 'Борщ' },
          { field: `variants.${dish.variantId}.price`, before: 250, after: 300 },
        ],
      },
    ]);
    expect(diff.categories.changed).toMatchObject([{ fields: [{ field: 'productIds' }] }]);
  });

  test('never reuse a number, even if the served row was lost', async () => {
    await renamed();
    await deleteRows(database.db, 'snapshot', { organizationId: place.organizationId });

    expect(await build()).toMatchObject({ outcome: 'PUBLISHED', revision: 3 });
  });
});

describe('a rollback', () => {
  test('restores storefront content with current prices and stops, as a new revision', async () => {
    await renamed();
    await reprice(31_000);
    await pin(1);

    expect(await build()).toEqual({ outcome: 'PUBLISHED', revision: 3, pending: false });
    expect(await served()).toMatchObject({
      revision: 3,
      products: [{ name: 'Щи', variants: [{ id: dish.variantId, price: 310, available: true }] }],
    });
    expect(await kept()).toMatchObject([
      { revision: 3, restoredFrom: 1 },
      { revision: 2, restoredFrom: null },
      { revision: 1, isPinned: true },
    ]);

    await rows.stop(place.organizationId, dish.erpId);
    await patchAvailability(deps, place.organizationId);
    expect((await served()).products).toMatchObject([
      { name: 'Щи', variants: [{ available: false }] },
    ]);
  });

  test('shows products that were archived since', async () => {
    await updateRows(
      database.db,
      'catalog_product',
      { status: 'ARCHIVED' },
      { id: dish.productId },
    );
    expect(await build()).toMatchObject({ revision: 2 });
    expect((await served()).products).toEqual([]);
    await pin(1);
    await build();

    expect(await served()).toMatchObject({
      revision: 3,
      products: [{ name: 'Щи', variants: [{ available: true }] }],
    });
  });

  test.each([
    [
      'lost in the external system',
      'update mirror_price set lost_at = now(), price_kopecks = 27000 where item_size_id = $1',
      270,
    ],
    ['gone without a trace', 'delete from mirror_price where item_size_id = $1', 250],
  ])('shows the last price as not sellable if a price is %s', async (_, change, price) => {
    await renamed();
    await database.db.query(change, [dish.sizeId]);
    await pin(1);
    await build();

    expect((await served()).products).toMatchObject([
      { name: 'Щи', variants: [{ price, available: false }] },
    ]);
  });

  test('omits a dish that the ERP hides', async () => {
    await renamed();
    await updateRows(database.db, 'mirror_item_menu', { isHidden: true }, { itemId: dish.itemId });
    await pin(1);
    await build();

    expect((await served()).products).toEqual([]);
  });

  test('uses current bindings, and removed variants cannot be sold', async () => {
    const itemId = (await rows.item()).id;
    const sizeId = await rows.size(itemId);
    await rows.offer(place.menuId, { itemId, sizeId }, { [place.organizationId]: 40_000 });
    const gone = await rows.variant(
      dish.productId,
      await rows.size(dish.itemId, { erp_size_id: 'L' }),
      {
        position: 1,
      },
    );
    await rows.offer(
      place.menuId,
      {
        itemId: dish.itemId,
        sizeId: (
          await selectRow(database.db, 'catalog_variant', ['itemSizeId as id'], { id: gone })
        ).id,
      },
      { [place.organizationId]: 50_000 },
    );
    expect(await build()).toMatchObject({ revision: 2 });
    await updateRows(
      database.db,
      'catalog_variant',
      { itemSizeId: sizeId },
      { id: dish.variantId },
    );
    await deleteRows(database.db, 'catalog_variant', { id: gone });
    await pin(2);
    await build();

    expect((await served()).products).toMatchObject([
      {
        variants: [
          { id: dish.variantId, price: 400, available: true },
          { id: gone, price: 500, available: false },
        ],
      },
    ]);
  });

  test('obeys the setting HIDE', async () => {
    await renamed();
    await rows.setting('stoplist_behaviour', 'HIDE');
    await rows.stop(place.organizationId, dish.erpId);
    await pin(1);
    await build();

    expect((await served()).products).toEqual([]);
    await deleteRows(database.db, 'mirror_stop_list');
    await build();
    expect((await served()).products).toMatchObject([{ name: 'Щи' }]);
  });
});

describe('a pinned revision', () => {
  test('blocks content but not prices, and current content is published afterwards', async () => {
    await pin(1);
    expect(await build()).toMatchObject({ outcome: 'UNCHANGED', revision: 1 });
    await rename('Борщ');
    expect(await build()).toMatchObject({ outcome: 'UNCHANGED', revision: 1 });
    await reprice(33_000);
    expect(await build()).toMatchObject({ outcome: 'PUBLISHED', revision: 2 });
    expect((await served()).products).toMatchObject([{ name: 'Щи', variants: [{ price: 330 }] }]);

    expect(await unpin()).toMatchObject({ pin: null, pendingReason: 'snapshot-pin' });
    expect(await build()).toMatchObject({ outcome: 'PUBLISHED', revision: 3 });
    expect((await served()).products).toMatchObject([{ name: 'Борщ', variants: [{ price: 330 }] }]);
  });

  test('rejects another pin, and a missing pin cannot be ended', async () => {
    await expect(unpin()).rejects.toMatchObject({ kind: 'invalid-transition' });
    await pin(1);
    await expect(pin(1)).rejects.toMatchObject({ kind: 'invalid-transition' });
  });

  test('records who pinned it and why', async () => {
    const status = await pin(1);
    await unpin();

    expect(status.pin).toMatchObject({ revision: 1, reason: 'Ошибка в меню', pinnedBy: { id: 1 } });
    const entityId = String(place.organizationId);
    expect(
      await selectRows(
        database.db,
        'audit_entry',
        ['action', 'actorId', 'reason'],
        { entityType: 'snapshot', entityId },
        { orderBy: 'id' },
      ),
    ).toEqual([
      { action: 'pin', actorId: 1, reason: 'Ошибка в меню' },
      { action: 'unpin', actorId: 1, reason: 'Исправлено' },
    ]);
  });
});

describe('the request of a pin', () => {
  test.each([
    ['for a revision that is not kept', { revision: 9 }, { kind: 'not-found' }],
    [
      'without a reason',
      { reason: '  ' },
      { kind: 'validation', details: { errors: [{ field: 'reason' }] } },
    ],
    [
      'with an end in the past',
      { until: new Date(0) },
      { details: { errors: [{ field: 'until', code: 'min' }] } },
    ],
    [
      'with an end in more than a year',
      { until: new Date(Date.now() + 400 * 86_400_000) },
      { details: { errors: [{ field: 'until', code: 'max' }] } },
    ],
  ])('fails %s', async (_, other, problem) => {
    const request = { revision: 1, reason: 'x', until: IN_AN_HOUR(), ...other };

    await expect(pinRevision(deps, STAFF, place.organizationId, request)).rejects.toMatchObject(
      problem,
    );
    expect((await getSnapshotStatus(database.db, place.organizationId)).pin).toBeNull();
  });

  test('fails for a restaurant that does not exist, and for a revision of another one', async () => {
    const other = await rows.restaurant();
    const request = { revision: 1, reason: 'x', until: IN_AN_HOUR() };

    for (const id of [999_999, other.organizationId])
      await expect(pinRevision(deps, STAFF, id, request)).rejects.toMatchObject({
        kind: 'not-found',
      });
  });
});

describe('the end of a pin', () => {
  test('comes at its time and is recorded once, by the system itself', async () => {
    await pin(1);
    const { remainingMs } = await endDuePin(deps, place.organizationId);
    await updateRows(
      database.db,
      'snapshot_pin',
      { until: databaseNow() },
      { organizationId: place.organizationId },
    );
    await rename('Борщ');
    await build();
    expect((await served()).products).toMatchObject([{ name: 'Щи' }]);

    expect(remainingMs).toBeGreaterThan(0);
    expect(await endDuePin(deps, place.organizationId)).toEqual({ remainingMs: null });
    expect(await endDuePin(deps, place.organizationId)).toEqual({ remainingMs: null });
    expect(await getSnapshotStatus(database.db, place.organizationId)).toMatchObject({
      pin: null,
      pendingReason: 'snapshot-pin',
    });
    await build();
    expect((await served()).products).toMatchObject([{ name: 'Борщ' }]);
    expect(
      await selectRows(database.db, 'audit_entry', ['actorType as actor'], {
        action: 'pin-ended',
        entityId: String(place.organizationId),
      }),
    ).toEqual([{ actor: 'SYSTEM' }]);
  });
});

describe('concurrent pins, builds and ends', () => {
  test('drop a build of current content that began before the pin', async () => {
    await rename('Борщ');
    const prepared = await ready();
    await pin(1);

    expect(await publishSnapshot(database.db, prepared)).toEqual({
      outcome: 'SUPERSEDED',
      revision: 1,
      pending: true,
    });
    expect((await served()).products).toMatchObject([{ name: 'Щи' }]);
  });

  test('drop a build of pinned content that began before the end of the pin', async () => {
    await renamed();
    await pin(1);
    const prepared = await ready();
    await unpin();

    expect(await publishSnapshot(database.db, prepared)).toEqual({
      outcome: 'SUPERSEDED',
      revision: 2,
      pending: true,
    });
    expect((await served()).products).toMatchObject([{ name: 'Борщ' }]);
  });

  test('make a pin wait for a running publication', async () => {
    const pins = () =>
      selectRows(database.db, 'snapshot_pin', '*', { organizationId: place.organizationId });
    let pinning: Promise<unknown> | undefined;
    const seen = await database.db.transaction(async (tx) => {
      // Locks like a publication that has already read the pin.
      await advisory.snapshot(tx, place.organizationId);
      pinning = pin(1);
      await delay(150);
      return pins();
    });
    await pinning;

    expect(seen).toEqual([]);
    expect(await pins()).toHaveLength(1);
  });

  test('accept one of several pins and reject the others', async () => {
    const results = await Promise.allSettled([pin(1), pin(1), pin(1), pin(1)]);

    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(refused).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ kind: 'invalid-transition' })),
    );
  });

  test('leave the content of the pin after publications, pins and ends', async () => {
    await renamed();
    await Promise.allSettled([build(), pin(1), build(), pin(2), build()]);
    await build();
    const { pin: inForce } = await getSnapshotStatus(database.db, place.organizationId);
    const shown = (await served()).products[0]?.name;
    await Promise.allSettled([build(), unpin(), build(), unpin(), build()]);
    await build();

    expect(shown).toBe(inForce?.revision === 1 ? 'Щи' : 'Борщ');
    expect((await served()).products).toMatchObject([{ name: 'Борщ' }]);
    const numbers = (await kept()).map((entry) => entry.revision);
    expect(numbers).toEqual(numbers.map((_, at) => numbers.length - at));
  });
});

describe('the retention of revisions', () => {
  const age = async (days: number) => {
    const then = ago(`${days} days`);
    await updateRows(database.db, 'snapshot_revision', { publishedAt: then });
    await updateRows(
      database.db,
      'snapshot_revision',
      { supersededAt: then },
      { supersededAt: not(null) },
    );
  };
  const left = async () => (await kept()).map((entry) => entry.revision);

  test('deletes revisions older than the setting, but not the served and the pinned one', async () => {
    await renamed();
    await rename('Уха');
    await build();
    await pin(1);
    await age(13);
    expect(await deleteOldRevisions(database.db, 100)).toBe(0);
    await age(15);
    await deleteOldRevisions(database.db, 100);

    expect(await left()).toEqual([3, 1]);
    await unpin();
    await rows.insert('setting', { key: 'snapshot.revision_days', value: 20 }, 'key');
    expect(await deleteOldRevisions(database.db, 100)).toBe(0);
    await age(21);
    await deleteOldRevisions(database.db, 100);
    expect(await left()).toEqual([3]);
  });

  test('keeps a revision that is being pinned', async () => {
    await renamed();
    await age(15);
    const deleted = await database.db.transaction(async (tx) => {
      await tx.query(
        'select 1 from snapshot_revision where organization_id = $1 and revision = 1 for key share',
        [place.organizationId],
      );
      const own = await left();
      await deleteOldRevisions(database.db, 100);
      return { own, after: await left() };
    });

    expect(deleted.after).toEqual(deleted.own);
    await deleteOldRevisions(database.db, 100);
    expect(await left()).toEqual([2]);
  });

  test('rejects a pin of a revision that is being deleted', async () => {
    await renamed();
    let pinning: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await deleteRows(tx, 'snapshot_revision', {
        organizationId: place.organizationId,
        revision: 1,
      });
      pinning = pin(1).catch((error: unknown) => error);
      await delay(150);
    });

    expect(await pinning).toMatchObject({ kind: 'not-found' });
  });

  test('cannot delete a pinned revision', async () => {
    await renamed();
    await pin(1);

    await expect(
      deleteRows(database.db, 'snapshot_revision', {
        organizationId: place.organizationId,
        revision: 1,
      }),
    ).rejects.toMatchObject({ constraint: 'snapshot_pin_revision_fkey' });
  });
});
