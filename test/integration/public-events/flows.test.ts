import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dismissIncident } from '../../../modules/binding/settle-incident.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import { listEvents } from '../../../modules/events/list-events.ts';
import { expireRights } from '../../../modules/gifts/rights/expire-rights.ts';
import {
  redeemRights,
  releaseRights,
  reserveRights,
} from '../../../modules/gifts/rights/move-rights.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { patchAvailability } from '../../../modules/menus/snapshot/patch-availability.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { bindings, bindingFixture } from '../../support/bindings.ts';
import { buildDish, buildMedia, buildMirror, STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { importMenu } from '../../support/mirror.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { rightsFixture } from '../../support/rights.ts';
import { ago, updateRows } from '../../support/rows.ts';
import type { Database } from '../../support/text-database.ts';

let db: Database;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ db, close } = await migratedDatabase());
});
afterEach(() => close());

async function recorded(
  from = db,
): Promise<[string, number | null, string, Record<string, unknown>][]> {
  const { items } = await listEvents(from, { after: 0, limit: 100 });
  return items.map(({ type, organizationId, subject, data }) => [
    type,
    organizationId,
    subject,
    data,
  ]);
}

describe('events of menus', () => {
  test('[EVT-1] a publication and a stop are events of the organization', async () => {
    const rows = menuRows(db);
    const deps = {
      db,
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
    };
    const { organizationId, menuId, categoryId } = await rows.restaurant();
    const { erpId } = await rows.dish({ menuId, categoryId, prices: { [organizationId]: 25_000 } });
    await buildSnapshot(deps, organizationId);
    await buildSnapshot(deps, organizationId);
    await rows.stop(organizationId, erpId);
    await patchAvailability(deps, organizationId);
    await patchAvailability(deps, organizationId);

    expect(await recorded()).toEqual([
      ['menu.published', organizationId, `organization/${organizationId}`, { revision: 1 }],
      ['availability.changed', organizationId, `organization/${organizationId}`, { revision: 1 }],
    ]);
  });
});

describe('events of products', () => {
  test('[EVT-1] a publication and its end are events of the product', async () => {
    const { sizeIds } = await buildDish(db, await buildMirror(db));
    const { id: categoryId } = await createCategory(
      { db },
      STAFF,
      { name: 'Супы', parentId: null },
      null,
    );
    const { id: productId } = await createProductOfItems(
      { db },
      STAFF,
      {
        name: 'Борщ',
        variantAxisCode: null,
        mainImageId: await buildMedia(db),
        categoryIds: [categoryId],
        variants: [{ erpItemSizeId: sizeIds[0]!, variantOptionCode: null, isDefault: true }],
      },
      null,
    );
    for (const move of ['publish', 'unpublish', 'publish', 'archive', 'restore'] as const)
      await moveProduct({ db }, STAFF, productId, move);

    expect(await recorded()).toEqual([
      ['product.published', null, `product/${productId}`, { productId }],
      ['product.unpublished', null, `product/${productId}`, { productId, reason: null }],
      ['product.published', null, `product/${productId}`, { productId }],
      ['product.unpublished', null, `product/${productId}`, { productId, reason: null }],
    ]);
  });
});

describe('events of gifts', () => {
  test('[EVT-1] each step of a gift is an event of the gift', async () => {
    const { grant, rewardId } = await rightsFixture(db);
    const [id, expiring, first, second] = [
      await grant(),
      await grant({ expiresAt: null }),
      randomUUID(),
      randomUUID(),
    ];
    const within = (work: (tx: Tx) => Promise<unknown>) => db.transaction(work);
    await within((tx) => reserveRights(tx, { orderId: first, rights: [id] }));
    await within((tx) => releaseRights(tx, first, 'CANCELLED'));
    await within((tx) => reserveRights(tx, { orderId: second, rights: [id] }));
    await within((tx) => redeemRights(tx, second));
    await updateRows(db, 'compensation', { expiresAt: ago('1 minute') }, { id: expiring });
    await expireRights({ db });

    const event = (type: string, compensationId: string, orderId: string | null) => [
      type,
      null,
      `gift/${compensationId}`,
      { compensationId, rewardId, orderId },
    ];
    expect(await recorded()).toEqual([
      event('gift.granted', id, null),
      event('gift.granted', expiring, null),
      event('gift.reserved', id, first),
      event('gift.returned', id, first),
      event('gift.reserved', id, second),
      event('gift.redeemed', id, second),
      event('gift.expired', expiring, null),
    ]);
  });
});

describe('events of incidents', () => {
  let fixture: Awaited<ReturnType<typeof bindingFixture>>;
  let use: ReturnType<typeof bindings>;
  beforeAll(async () => {
    fixture = await bindingFixture();
    use = bindings(fixture);
    await use.grace(0, 30);
  });
  afterAll(() => fixture.close());

  test('[EVT-1] a lost dish opens an incident, and its return and a dismissal close it', async () => {
    const dishes = [await use.aDish(), await use.aDish()];
    await use.vanish(...dishes.map(({ itemErpId }) => itemErpId));
    await importMenu(fixture, fixture.menuId, 'FULL');
    await use.evaluate();
    const opened = await readIncidents(
      fixture.db,
      dishes.map(({ variantIds }) => variantIds[0]!),
    );
    await dismissIncident({ db: fixture.db }, STAFF, opened[1]!.incidentId, { note: 'Снято' });
    await use.bringBack(dishes[0]!.itemErpId);
    await importMenu(fixture, fixture.menuId, 'FULL');
    await use.evaluate();

    const incidents = (await recorded(fixture.db)).filter(([type]) => type.startsWith('incident.'));
    const event = (type: string, data: { incidentId: number; resolution?: string }) => [
      type,
      null,
      `incident/${data.incidentId}`,
      data,
    ];
    expect(incidents).toEqual([
      event('incident.opened', opened[0]!),
      event('incident.opened', opened[1]!),
      event('incident.closed', { ...opened[1]!, resolution: 'DISMISSED' }),
      event('incident.closed', { ...opened[0]!, resolution: 'ITEM_RETURNED' }),
    ]);
  });
});

/** The data of the events that opened the incidents of these variants. */
function readIncidents(from: Database, variantIds: readonly number[]) {
  return from.db
    .selectFrom('binding_incident')
    .select(['id as incidentId', 'type', 'productId', 'variantId'])
    .where('variantId', 'in', variantIds)
    .orderBy('variantId')
    .execute();
}
