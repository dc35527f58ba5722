import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { bindings, bindingFixture, MENU } from '../../support/bindings.ts';
import {
  above,
  column,
  databaseNow,
  deleteRows,
  like,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: Awaited<ReturnType<typeof bindingFixture>>;
let use: ReturnType<typeof bindings>;
beforeAll(async () => {
  fixture = await bindingFixture();
  use = bindings(fixture);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await use.cleared();
  await use.grace(2, 30);
});

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);

describe('an item that is live', () => {
  test('[BND-8] keeps its binding OK, and the evaluation writes when it was last seen', async () => {
    const dish = await use.aDish();
    const [variantId = 0] = dish.variantIds;
    await updateRows(
      fixture.db,
      'catalog_variant',
      { lastSeenPriceKopecks: 1, lastSeenSnapshot: null },
      { id: variantId },
    );

    const { evaluated } = await use.imported();

    const variant = await use.variant(variantId);
    expect(evaluated).toMatchObject({
      missing: 0,
      returned: 0,
      renamed: 0,
      incidents: 0,
      graceEndsInMs: null,
    });
    expect(variant).toMatchObject({ state: 'OK', missingSince: null, name: dish.name });
    expect(variant.price).toBeGreaterThan(1);
    expect(variant.snapshot).toMatchObject({
      erpItemId: dish.itemErpId,
      externalMenuIds: [fixture.menuId],
    });
    expect(await use.incidents(variantId)).toEqual([]);
  });

  test('[BND-9] under another name opens NAME_CHANGED once, with the old and the new name', async () => {
    const dish = await use.aDish();
    const [variantId = 0] = dish.variantIds;
    await use.imported();
    await use.rename(dish.itemErpId, 'Новое имя');

    const { runId, evaluated } = await use.imported('INCREMENTAL');
    const again = await use.evaluate();

    const incidents = await use.incidents(variantId);
    expect(evaluated).toMatchObject({ renamed: 1, incidents: 1 });
    expect(again).toMatchObject({ renamed: 0, incidents: 0 });
    expect(incidents).toMatchObject([
      {
        type: 'NAME_CHANGED',
        severity: 'INFO',
        status: 'OPEN',
        newName: 'Новое имя',
        lastKnown: { name: dish.name, erpItemId: dish.itemErpId },
        detectedByRunId: runId,
      },
    ]);
    expect(await use.variant(variantId)).toMatchObject({ state: 'OK', name: 'Новое имя' });

    // A second change belongs to the open incident.
    await use.rename(dish.itemErpId, 'Ещё одно');
    const { evaluated: second } = await use.imported('INCREMENTAL');
    expect(second).toMatchObject({ renamed: 1, incidents: 0 });
    expect(await use.incidents(variantId)).toMatchObject([
      { id: incidents[0]!.id, newName: 'Ещё одно', status: 'OPEN' },
    ]);
    await use.rename(dish.itemErpId, dish.name);
    await use.imported('INCREMENTAL');
  });
});

describe('an item that is soft-deleted', () => {
  test('[BND-10] changes nothing within the grace window, and guests see the variant as unavailable', async () => {
    const [first, second] = await use.aProduct({ dishes: 2 });
    await use.imported();
    const before = await selectRows(
      fixture.db,
      'catalog_variant',
      '*',
      { productId: first!.productId },
      { orderBy: 'id' },
    );
    await use.vanish(first!.itemErpId);

    const { evaluated } = await use.imported();

    const [window] = await query<{ left: number }>(
      `select 30 * 60000 - extract(epoch from now() - deleted_at)::double precision * 1000 as left from mirror_item where id = $1`,
      [first!.itemId],
    );
    expect(evaluated).toMatchObject({ missing: 0, incidents: 0, unpublished: 0 });
    expect(evaluated.graceEndsInMs).toBeGreaterThanOrEqual(Math.floor(window!.left));
    expect(
      await selectRows(
        fixture.db,
        'catalog_variant',
        '*',
        { productId: first!.productId },
        { orderBy: 'id' },
      ),
    ).toEqual(before);
    const shown = await variantsInMenu(first!.productId);
    expect(shown.get(first!.variantIds[0]!)).toBe(false);
    expect(shown.get(second!.variantIds[0]!)).toBe(true);

    await use.bringBack(first!.itemErpId);
    const { evaluated: back } = await use.imported();
    expect(back).toMatchObject({ returned: 0, incidents: 0, graceEndsInMs: null });
    expect(await use.incidents(first!.variantIds[0]!)).toEqual([]);
  });

  test('[BND-10, BND-11] becomes MISSING and CRITICAL at the second import, and returns with ITEM_RETURNED', async () => {
    const [first, second] = await use.aProduct({ dishes: 2 });
    const [variantId = 0] = first!.variantIds;
    await use.imported();
    await use.vanish(first!.itemErpId);
    const { evaluated: atDeletion } = await use.imported();
    await use.bump();

    const { runId, evaluated } = await use.imported('INCREMENTAL');

    const item = await fixture.db.db
      .selectFrom('mirror_item as item')
      .innerJoin('sync_run as run', 'run.id', 'item.lastRun')
      .where('item.id', '=', first!.itemId)
      .select(['item.deletedAt', 'run.startedAt as lastRunAt'])
      .executeTakeFirstOrThrow();
    expect(atDeletion).toMatchObject({ missing: 0 });
    expect(evaluated).toMatchObject({
      missing: 1,
      incidents: 1,
      unpublished: 0,
      graceEndsInMs: null,
    });
    expect(await use.variant(variantId)).toMatchObject({
      state: 'MISSING',
      missingSince: item.deletedAt,
    });
    const [incident] = await use.incidents(variantId);
    expect(incident).toMatchObject({
      type: 'ITEM_MISSING',
      severity: 'CRITICAL',
      status: 'OPEN',
      detectedByRunId: runId,
      lastKnown: { erpItemId: first!.itemErpId, name: first!.name },
    });
    expect(new Date(incident!.lastKnown.lastSeenAt!)).toEqual(item.lastRunAt);
    expect(await use.product(first!.productId)).toEqual({
      status: 'PUBLISHED',
      statusReason: null,
    });
    const shown = await variantsInMenu(first!.productId);
    expect([shown.get(variantId), shown.get(second!.variantIds[0]!)]).toEqual([false, true]);

    await use.bringBack(first!.itemErpId);
    const { evaluated: back } = await use.imported();
    expect(back).toMatchObject({ returned: 1, incidents: 0 });
    expect(await use.variant(variantId)).toMatchObject({ state: 'OK', missingSince: null });
    expect(await use.incidents(variantId)).toMatchObject([
      { id: incident!.id, status: 'CLOSED', resolution: 'ITEM_RETURNED' },
    ]);
    expect((await variantsInMenu(first!.productId)).get(variantId)).toBe(true);
  });

  test('[BND-10] becomes MISSING when its minutes are over, even without another import', async () => {
    await use.grace(1_000, 30);
    const dish = await use.aDish('DRAFT');
    await use.imported();
    await use.vanish(dish.itemErpId);
    await use.imported();
    await use.deletedEarlier(dish.itemId, 29);
    const early = await use.evaluate();
    await use.deletedEarlier(dish.itemId, 1);

    const late = await use.evaluate();

    expect(early).toMatchObject({ missing: 0 });
    expect(early.graceEndsInMs).toBeLessThanOrEqual(60_000);
    expect(late).toMatchObject({ missing: 1, incidents: 1, graceEndsInMs: null });
  });

  test('[BND-10] ignores skipped imports', async () => {
    const dish = await use.aDish();
    await use.imported();
    await use.vanish(dish.itemErpId);
    const { runId } = await use.imported();
    for (let count = 0; count < 3; count += 1)
      await query(
        `insert into sync_run (id, job, connection_id, external_menu_id, mode, trigger, status, reason, started_at, finished_at)
         select nextval('sync_run_id_seq'), job, connection_id, external_menu_id, 'INCREMENTAL', trigger, 'SKIPPED', 'UNCHANGED', now(), now()
           from sync_run where id = $1`,
        [runId],
      );

    expect(await use.evaluate()).toMatchObject({ missing: 0 });

    await updateRows(
      fixture.db,
      'sync_run',
      { status: 'SUCCESS', reason: null },
      { status: 'SKIPPED', reason: 'UNCHANGED', id: above(runId) },
    );
    expect(await use.evaluate()).toMatchObject({ missing: 1 });
  });

  test('ignores imports of menus that never listed it', async () => {
    const dish = await use.aDish();
    await use.imported();
    await use.vanish(dish.itemErpId);
    const { runId } = await use.imported();
    await query(
      `insert into sync_run (id, job, connection_id, external_menu_id, mode, trigger, status, started_at, finished_at)
       select nextval('sync_run_id_seq'), job, connection_id, external_menu_id + 1000, 'INCREMENTAL', trigger, 'SUCCESS', now(), now()
         from sync_run, generate_series(1, 5) where id = $1`,
      [runId],
    );

    expect(await use.evaluate()).toMatchObject({ missing: 0 });
  });
});

describe('a variant in the state MISSING', () => {
  test('[BND-13] suggests the item with the same sku under a new id, and repeats no dismissed suggestion', async () => {
    await use.grace(0, 30);
    const dish = await use.aDish();
    const [variantId = 0] = dish.variantIds;
    await use.imported();
    await use.vanish(dish.itemErpId);
    await use.imported();
    expect((await use.incidents(variantId)).map((entry) => entry.type)).toEqual(['ITEM_MISSING']);
    const { returned } = await fixture.emulator.control<{ returned: { newItemId: string }[] }>(
      'return',
      {
        menuId: MENU,
        itemIds: [dish.itemErpId],
        sameId: false,
      },
    );

    const { evaluated } = await use.imported();
    const again = await use.evaluate();

    const incidents = await use.incidents(variantId);
    expect([evaluated.incidents, again.incidents]).toEqual([1, 0]);
    expect(incidents).toMatchObject([
      { type: 'ITEM_MISSING', status: 'OPEN' },
      {
        type: 'POSSIBLE_REPLACEMENT',
        severity: 'INFO',
        status: 'OPEN',
        candidates: [{ erpItemId: returned[0]!.newItemId, matchedBy: 'SKU', confidence: 0.95 }],
      },
    ]);

    await updateRows(
      fixture.db,
      'binding_incident',
      { status: 'CLOSED', resolution: 'DISMISSED', closedAt: databaseNow() },
      { id: incidents[1]!.id },
    );
    expect(await use.evaluate()).toMatchObject({ incidents: 0 });
    expect(await use.incidents(variantId)).toHaveLength(2);
  });

  test('[BND-13] suggests an item of the same name and group at 0.8, even one older than the loss', async () => {
    await use.grace(0, 30);
    const dish = await use.aDish();
    const [variantId = 0] = dish.variantIds;
    await use.imported();
    await use.vanish(dish.itemErpId);
    await use.bump();
    // An incremental import deletes nothing: the new item exists before the old one is deleted.
    await use.imported('INCREMENTAL');
    const [fresh] = await query<{ erpId: string }>(
      `with item as (
         insert into mirror_item (erp_id, role, name, sku, product_category_erp_id, first_seen_at, synchronized_at)
         select gen_random_uuid(), 'DISH', name, 'new-sku', product_category_erp_id, now(), now() from mirror_item where id = $1
         returning id, erp_id),
       size as (insert into mirror_item_size (item_id, first_seen_at) select id, now() from item)
       select erp_id as "erpId" from item`,
      [dish.itemId],
    );

    await use.imported();

    expect(await use.incidents(variantId)).toMatchObject([
      { type: 'ITEM_MISSING' },
      {
        type: 'POSSIBLE_REPLACEMENT',
        candidates: [{ erpItemId: fresh!.erpId, matchedBy: 'NAME_AND_GROUP', confidence: 0.8 }],
      },
    ]);
    await use.bringBack(dish.itemErpId);
    const { evaluated } = await use.imported();
    expect(evaluated).toMatchObject({ returned: 1 });
    expect((await use.incidents(variantId)).map((entry) => entry.resolution)).toEqual([
      'ITEM_RETURNED',
      'ITEM_RETURNED',
    ]);
  });

  test('[CAT-9] unpublishes its product if it is the last variant, and the product keeps its data', async () => {
    await use.grace(0, 30);
    const [first, second] = await use.aProduct({ dishes: 2 });
    const { productId } = first!;
    await use.imported();
    const content = () =>
      query(
        `select product.name, main_image_id, composition, slug,
                (select jsonb_agg(to_jsonb(v) - 'binding_state' - 'missing_since' - 'last_seen_at' - 'version' - 'updated_at' order by id)
                   from catalog_variant v where v.product_id = product.id) as variants,
                (select count(*) from catalog_item_binding where product_id = product.id) as claims
           from catalog_product product where id = $1`,
        [productId],
      );
    const before = await content();
    await use.vanish(first!.itemErpId);
    const { evaluated: one } = await use.imported();
    await use.vanish(second!.itemErpId);

    const { evaluated: both } = await use.imported();

    expect([one.unpublished, both.unpublished]).toEqual([0, 1]);
    expect(await use.product(productId)).toEqual({
      status: 'UNPUBLISHED',
      statusReason: 'NO_LIVE_VARIANT',
    });
    expect(await content()).toEqual(before);
    expect(await variantsInMenu(productId)).toEqual(new Map());
    expect(
      await selectRows(fixture.db, 'audit_entry', ['actorType', 'reason', 'before', 'after'], {
        entityType: 'product',
        entityId: String(productId),
        action: 'unpublish',
      }),
    ).toEqual([
      {
        actorType: 'SYSTEM',
        reason: 'NO_LIVE_VARIANT',
        before: { status: 'PUBLISHED' },
        after: { status: 'UNPUBLISHED' },
      },
    ]);

    // Staff decide about showing the product again.
    await use.bringBack(first!.itemErpId, second!.itemErpId);
    const { evaluated: back } = await use.imported();
    expect(back).toMatchObject({ returned: 2 });
    expect(await use.product(productId)).toEqual({
      status: 'UNPUBLISHED',
      statusReason: 'NO_LIVE_VARIANT',
    });
  });

  test('notifies administrators once per evaluation, and the notification ends with its incidents', async () => {
    await use.grace(0, 30);
    const [first, second] = await use.aProduct({ dishes: 2 });
    await use.imported();
    await deleteRows(fixture.db, 'notification');
    const notifications = () =>
      fixture.db.db
        .selectFrom('notification')
        .where('kind', '=', 'BINDING_MISSING')
        .select((row) => ['details', row('resolvedAt', 'is not', null).as('resolved')])
        .orderBy('id')
        .execute();
    await use.vanish(first!.itemErpId, second!.itemErpId);

    const { runId } = await use.imported();
    await use.evaluate();

    const raised = await notifications();
    expect(raised).toEqual([
      { details: { runId, variants: 2, products: 1, unpublished: 1 }, resolved: false },
    ]);
    await use.bringBack(first!.itemErpId, second!.itemErpId);
    await use.imported();
    expect((await notifications()).map((notification) => notification.resolved)).toEqual([true]);
  });
});

test("an evaluation's changes are audited, and its menus and workflows are notified", async () => {
  await use.grace(0, 30);
  const dish = await use.aDish();
  const [variantId = 0] = dish.variantIds;
  await use.imported();
  await updateRows(fixture.db, 'snapshot_request', { builtSeq: column('dirtySeq') });
  await deleteRows(fixture.db, 'outbox');
  await use.vanish(dish.itemErpId);
  await use.imported();

  const [incident] = await use.incidents(variantId);
  const events = await selectRows(
    fixture.db,
    'outbox',
    ['event', 'payload'],
    {},
    { orderBy: 'id' },
  );
  const dirty = await selectRows(fixture.db, 'snapshot_request', '*', {
    dirtySeq: above(column('builtSeq')),
  });
  const audit = await selectRows(
    fixture.db,
    'audit_entry',
    ['action', 'after'],
    { entityType: 'variant', entityId: String(variantId) },
    { orderBy: 'id' },
  );
  expect(events.map((event) => event.event)).toEqual(
    expect.arrayContaining([
      'ErpMenuImported',
      'BindingIncidentsChanged',
      'CatalogChanged',
      'NotificationRaised',
    ]),
  );
  expect(events.find((event) => event.event === 'BindingIncidentsChanged')?.payload).toEqual({
    incidentIds: [incident!.id],
    change: 'opened',
  });
  expect(dirty.length).toBeGreaterThan(0);
  expect(audit).toEqual([{ action: 'binding-missing', after: { bindingState: 'MISSING' } }]);
  await use.bringBack(dish.itemErpId);
  await use.imported();
  expect(
    await selectRows(
      fixture.db,
      'audit_entry',
      ['action', 'after'],
      { entityType: 'product', entityId: String(dish.productId), action: like('binding-%') },
      { orderBy: 'id' },
    ),
  ).toEqual([
    { action: 'binding-missing', after: { variantIds: [variantId] } },
    { action: 'binding-returned', after: { variantIds: [variantId] } },
  ]);
});

/** Maps variant ids to true if the variant is available in any organization. */
async function variantsInMenu(productId: number): Promise<Map<number, boolean>> {
  const deps = {
    db: fixture.db,
    log: createLog({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
  };
  await query(
    `insert into catalog_category (slug, name) values ('test', 'Тест') on conflict do nothing`,
  );
  await query(
    `insert into catalog_product_category (product_id, category_id, is_primary)
     select $1, id, true from catalog_category where slug = 'test' on conflict do nothing`,
    [productId],
  );
  const organizations = await selectRows(fixture.db, 'mirror_organization', ['id'], {
    inactiveAt: null,
  });
  const found = new Map<number, boolean>();
  for (const { id } of organizations) {
    await updateRows(
      fixture.db,
      'snapshot_request',
      { dirtySeq: plus('dirtySeq', 1) },
      { organizationId: id },
    );
    await buildSnapshot(deps, id);
    const row = await selectRow(fixture.db, 'snapshot', ['payload'], { organizationId: id });
    const menu = JSON.parse(row.payload.toString('utf8')) as {
      products: { id: number; variants: { id: number; available: boolean }[] }[];
    };
    for (const product of menu.products)
      if (product.id === productId)
        for (const variant of product.variants)
          found.set(variant.id, (found.get(variant.id) ?? false) || variant.available);
  }
  return found;
}
