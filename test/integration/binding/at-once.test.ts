import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { addVariant } from '../../../modules/catalog/variants/add-variant.ts';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { evaluateBindings } from '../../../modules/binding/evaluate-bindings.ts';
import { BINDING_WATCH } from '../../../modules/binding/binding-history.ts';
import type { VariantDeps } from '../../../modules/catalog/commit-edit.ts';
import { closeIncidents } from '../../../modules/binding/incident-rows.ts';
import { rebindVariant } from '../../../modules/binding/rebind-variant.ts';
import { removeVariant } from '../../../modules/catalog/variants/remove-variant.ts';
import { dismissIncident } from '../../../modules/binding/settle-incident.ts';
import type { Database, Tx } from '../../support/text-database.ts';
import { bindings, bindingFixture } from '../../support/bindings.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { importMenu } from '../../support/mirror.ts';
import { eventually } from '../../support/processes.ts';
import { repetitions } from '../../support/repetitions.ts';
import { watched } from '../../support/watched.ts';
import { ago, countRows, deleteRows, selectRows, updateRows } from '../../support/rows.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

let fixture: Awaited<ReturnType<typeof bindingFixture>>;
let use: ReturnType<typeof bindings>;
let deps: VariantDeps;
beforeAll(async () => {
  fixture = await bindingFixture();
  use = bindings(fixture);
  deps = { db: fixture.db, variantWatch: BINDING_WATCH };
  // Creates the row that serializes evaluations.
  await use.evaluate();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await use.cleared();
  await use.grace(0, 30);
});

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  fixture.db.query<T>(sql, params);

async function endsOrWaits(work: Promise<unknown>): Promise<void> {
  let ended = false;
  void Promise.allSettled([work]).finally(() => {
    ended = true;
  });
  await eventually('it ends or waits', async () => {
    const waiting = await waitingSessions(fixture.db);
    return ended || waiting > 0 ? true : undefined;
  });
}

/** An evaluation that pauses after it has read every variant. */
function pausedEvaluation() {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const pausing = (tx: Tx): Tx =>
    watched(tx, async (statement) => {
      if (!statement.has('with absent as')) return;
      reached.resolve();
      await goOn.promise;
    });
  const db: Database = {
    ...fixture.db,
    transaction: (work) => fixture.db.transaction((tx) => work(pausing(tx))),
  };
  const evaluated = evaluateBindings({ ...fixture.binding, db }, { runId: null });
  return { evaluated, reached: reached.promise, goOn: () => goOn.resolve() };
}

/** Returns vanished dishes that are not yet evaluated, each the only dish of its product. */
async function vanished(count: number) {
  const dishes = [];
  for (let at = 0; at < count; at += 1) dishes.push(await use.aDish());
  await use.vanish(...dishes.map((dish) => dish.itemErpId));
  await importMenu(fixture, fixture.menuId, 'FULL');
  return dishes;
}

/** The smallest size of a dish without a product. */
async function freeDish(): Promise<{ erpItemId: string; erpItemSizeId: number }> {
  const [size] = await query<{ erpItemId: string; erpItemSizeId: number }>(
    `select item.erp_id as "erpItemId", size.id as "erpItemSizeId" from mirror_item_size size join mirror_item item on item.id = size.item_id
      where item.role = 'DISH' and item.deleted_at is null
        and not exists (select 1 from catalog_item_binding binding where binding.item_id = item.id) order by size.id limit 1`,
  );
  return size!;
}
const freeSize = async () => (await freeDish()).erpItemSizeId;

async function emptyDrafts(count: number): Promise<number[]> {
  const rows = await query<{ id: number }>(
    `insert into catalog_product (slug, name) select gen_random_uuid(), 'Черновик' from generate_series(1, $1::int) returning id`,
    [count],
  );
  return rows.map((row) => row.id);
}

async function anOption(code: string): Promise<number> {
  const [option] = await query<{ id: number }>(
    `insert into catalog_variant_option (axis_id, code, name) select id, $1, $1 from catalog_variant_axis where code = 'KIND' returning id`,
    [code],
  );
  return option!.id;
}

const add = (
  productId: number,
  of: { erpItemId: string; erpItemSizeId: number; variantOptionId?: number; isDefault?: boolean },
) => addVariant(deps, STAFF, productId, { variantOptionId: null, isDefault: false, ...of }, null);

async function audited(productId: number): Promise<string[]> {
  const rows = await query<{ action: string }>(
    `select action from audit_entry where entity_type = 'product' and entity_id = $1 and action = 'unpublish'
        or entity_type = 'variant' and action = 'create' and (after ->> 'productId')::bigint = $1::bigint order by id`,
    [String(productId)],
  );
  return rows.map((row) => row.action);
}

test('[BND-14] parallel evaluations take turns, so every loss is written, audited and reported once', async () => {
  const dishes = await vanished(3);
  await deleteRows(fixture.db, 'notification');

  const results = await Promise.all(Array.from({ length: repetitions(6) }, () => use.evaluate()));

  expect(results.map((result) => result.missing).toSorted((a, b) => b - a)).toEqual([
    3,
    ...results.slice(1).map(() => 0),
  ]);
  const variantIds = dishes.flatMap((dish) => dish.variantIds);
  const written = {
    incidents: await countRows(fixture.db, 'binding_incident', { variantId: variantIds }),
    audited: await countRows(fixture.db, 'audit_entry', {
      entityType: 'variant',
      entityId: variantIds.map(String),
    }),
    notifications: await countRows(fixture.db, 'notification', { kind: 'BINDING_MISSING' }),
  };
  expect(written).toEqual({ incidents: 3, audited: 3, notifications: 1 });
});

describe('an item that returns while it is evaluated', () => {
  test('stays bound if its import has committed', async () => {
    const [dish] = await vanished(1);
    const evaluation = pausedEvaluation();
    await evaluation.reached;
    await use.bringBack(dish!.itemErpId);
    await importMenu(fixture, fixture.menuId, 'FULL');
    evaluation.goOn();

    expect(await evaluation.evaluated).toMatchObject({ missing: 0, unpublished: 0 });
    expect(await use.incidents(dish!.variantIds[0]!)).toEqual([]);
  });

  test('stays bound if its import has not committed, and the evaluation does not wait for the import', async () => {
    const [dish] = await vanished(1);
    const evaluated = await fixture.db.transaction(async (tx) => {
      await updateRows(tx, 'mirror_item', { deletedAt: null }, { id: dish!.itemId });
      await updateRows(tx, 'mirror_item_size', { deletedAt: null }, { itemId: dish!.itemId });
      return use.evaluate();
    });

    expect(evaluated).toMatchObject({ missing: 0, unpublished: 0 });
    expect(evaluated.graceEndsInMs).toBeLessThanOrEqual(1_000);
    expect(await use.evaluate()).toMatchObject({ missing: 0, returned: 0 });
  });
});

test('[BND-25] a size of an uncommitted import is not missing, and the evaluation does not wait for it', async () => {
  const dish = await use.aDish();
  await updateRows(
    fixture.db,
    'mirror_item_size',
    { deletedAt: ago('1 hour') },
    { itemId: dish.itemId },
  );

  const evaluated = await fixture.db.transaction(async (tx) => {
    await updateRows(tx, 'mirror_item_size', { deletedAt: null }, { itemId: dish.itemId });
    return use.evaluate();
  });

  expect(evaluated).toMatchObject({ missing: 0, unpublished: 0 });
  expect(evaluated.graceEndsInMs).toBeLessThanOrEqual(1_000);
  expect(await use.evaluate()).toMatchObject({ missing: 0, returned: 0 });
});

test('[BND-14] an evaluation does not undo a concurrent rebind', async () => {
  const [dish] = await vanished(1);
  const [variantId = 0] = dish!.variantIds;
  const erpItemSizeId = await freeSize();
  const evaluation = pausedEvaluation();
  await evaluation.reached;
  const rebound = rebindVariant(deps, STAFF, variantId, { erpItemSizeId });
  await endsOrWaits(rebound);
  evaluation.goOn();
  await evaluation.evaluated;

  expect(await rebound).toMatchObject({ bindingState: 'OK', missingSince: null, erpItemSizeId });
  expect(await use.variant(variantId)).toMatchObject({ state: 'OK' });
  expect((await use.incidents(variantId)).map((entry) => entry.resolution)).toEqual(['REBOUND']);
});

test('a dismissal after the return of the item is rejected and changes nothing', async () => {
  const [dish] = await vanished(1);
  const [variantId = 0] = dish!.variantIds;
  await use.evaluate();
  const [incident] = await use.incidents(variantId);
  const { promise: closed, resolve: isClosed } = Promise.withResolvers<void>();
  const { promise: commit, resolve: mayCommit } = Promise.withResolvers<void>();
  const returning = fixture.db.transaction(async (tx) => {
    await closeIncidents(tx, 'itemReturns', [variantId], ['ITEM_MISSING'], null);
    isClosed();
    await commit;
  });
  await closed;
  const dismissal = dismissIncident(deps, STAFF, incident!.id, { note: 'Снято' }).catch(
    (error: unknown) => error,
  );
  await endsOrWaits(dismissal);
  mayCommit();
  await returning;

  expect(await dismissal).toMatchObject({ kind: 'invalid-transition' });
  expect(await use.incidents(variantId)).toMatchObject([
    { status: 'CLOSED', resolution: 'ITEM_RETURNED' },
  ]);
});

test('exactly one of many parallel bindings of a dish succeeds, and the others receive its product', async () => {
  const variants = (await vanished(2)).map((dish) => dish.variantIds[0]!);
  const drafts = await emptyDrafts(2);
  await use.evaluate();
  const { erpItemId, erpItemSizeId } = await freeDish();
  const wanted = [
    ...variants.map((id) => () => rebindVariant(deps, STAFF, id, { erpItemSizeId })),
    ...drafts.map((id) => () => add(id, { erpItemId, erpItemSizeId })),
    ...[1, 2].map(
      (at) => () =>
        createProductOfItems(
          deps,
          STAFF,
          {
            name: `Новый ${at}`,
            variantAxisCode: null,
            mainImageId: null,
            categoryIds: [],
            variants: [{ erpItemSizeId, variantOptionCode: null, isDefault: true }],
          },
          null,
        ),
    ),
  ];

  const settled = await Promise.allSettled(wanted.map((start) => start()));

  const refusals = settled.flatMap((result) =>
    result.status === 'rejected'
      ? [result.reason as { kind: string; details: { extra?: object } }]
      : [],
  );
  const [bound, ...others] = await fixture.db.db
    .selectFrom('catalog_variant as variant')
    .innerJoin('catalog_product as product', 'product.id', 'variant.productId')
    .where('variant.itemSizeId', '=', erpItemSizeId)
    .select(['product.id as productId', 'product.name'])
    .execute();
  expect(others).toEqual([]);
  expect(refusals.map(({ kind, details }) => ({ kind, ...details.extra }))).toEqual(
    settled.slice(1).map(() => ({
      kind: 'item-already-bound',
      code: 'ITEM_ALREADY_BOUND',
      boundProduct: { id: bound!.productId, name: bound!.name },
    })),
  );
});

describe('a command about variants during an evaluation', () => {
  test('adds a variant without hiding a product that has it', async () => {
    const [dish] = await vanished(1);
    const evaluation = pausedEvaluation();
    await evaluation.reached;
    const added = add(dish!.productId, {
      ...(await freeDish()),
      variantOptionId: await anOption('ADDED'),
    });
    await endsOrWaits(added);
    evaluation.goOn();
    await Promise.all([evaluation.evaluated, added]);

    // The evaluation hides a product without a live variant. A variant that is added later does not
    // publish it again.
    expect(await audited(dish!.productId)).toEqual(['unpublish', 'create']);
  });

  test('removes a variant and leaves no open incident', async () => {
    const [dish] = await vanished(1);
    const [variantId = 0] = dish!.variantIds;
    await updateRows(
      fixture.db,
      'catalog_product',
      { status: 'UNPUBLISHED' },
      { id: dish!.productId },
    );
    const evaluation = pausedEvaluation();
    await evaluation.reached;
    const removed = removeVariant(deps, STAFF, variantId);
    await endsOrWaits(removed);
    evaluation.goOn();
    await Promise.all([evaluation.evaluated, removed]);

    expect(await use.incidents(variantId)).toMatchObject([
      { status: 'CLOSED', resolution: 'VARIANT_REMOVED' },
    ]);
  });
});

test('a rebind detects a publication that commits just before it', async () => {
  const dish = await use.aDish('DRAFT');
  const erpItemSizeId = await freeSize();
  const { promise: commit, resolve: mayCommit } = Promise.withResolvers<void>();
  const { promise: published, resolve: isPublished } = Promise.withResolvers<void>();
  const publishing = fixture.db.transaction(async (tx) => {
    await updateRows(tx, 'catalog_product', { status: 'PUBLISHED' }, { id: dish.productId });
    isPublished();
    await commit;
  });
  await published;
  await deleteRows(fixture.db, 'outbox');
  const rebound = rebindVariant(deps, STAFF, dish.variantIds[0]!, { erpItemSizeId });
  await endsOrWaits(rebound);
  mayCommit();
  await Promise.all([publishing, rebound]);

  expect((await selectRows(fixture.db, 'outbox', ['event'])).map((row) => row.event)).toContain(
    'CatalogChanged',
  );
});

test('an evaluation and a concurrent move of its products by staff do not deadlock', async () => {
  const [low, high] = await vanished(2);
  // The smaller variant id belongs to the larger product id: incidents alone would lock in the
  // wrong order.
  const swap = `update catalog_variant set product_id = $2, is_default = false, option_id = null where id = $1`;
  await query(swap, [low!.variantIds[0], high!.productId]);
  await query(swap, [high!.variantIds[0], low!.productId]);
  const lock = 'select 1 from catalog_product where id = $1 for update';
  const { promise: evaluationWaits, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: holds, resolve: isHeld } = Promise.withResolvers<void>();
  const staff = fixture.db.transaction(async (tx) => {
    await tx.query(lock, [low!.productId]);
    isHeld();
    await evaluationWaits;
    await tx.query(lock, [high!.productId]);
  });
  await holds;
  const evaluated = use.evaluate();
  await endsOrWaits(evaluated);
  goOn();

  await expect(staff).resolves.toBeUndefined();
  expect(await evaluated).toMatchObject({ missing: 2, unpublished: 2 });
});
