import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../app/binding/create-product.ts';
import { evaluateBindings } from '../../../app/binding/evaluate-bindings.ts';
import { closeIncidents } from '../../../app/binding/incident-rows.ts';
import { rebindVariant } from '../../../app/binding/rebind-variant.ts';
import { dismissIncident } from '../../../app/binding/settle-incident.ts';
import type { Database, Tx } from '../../../app/database.ts';
import { bindings, bindingWorld, type BindingWorld } from '../../support/bindings.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { importMenu } from '../../support/mirror.ts';
import { eventually } from '../../support/processes.ts';
import { rounds } from '../../support/rounds.ts';

let world: BindingWorld;
let use: ReturnType<typeof bindings>;
let deps: { db: Database };
beforeAll(async () => {
  world = await bindingWorld();
  use = bindings(world);
  deps = { db: world.db };
  // The row of the turns is there already, as in every database but a new one.
  await use.evaluate();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await use.cleared();
  await use.grace(0, 30);
});

const query = <T extends object>(sql: string, params: unknown[] = []) => world.db.query<T>(sql, params);

/** Resolves when `work` has ended or waits for a lock of another session. */
async function endsOrWaits(work: Promise<unknown>): Promise<void> {
  let ended = false;
  void Promise.allSettled([work]).finally(() => {
    ended = true;
  });
  await eventually('it ends or waits', async () => {
    const waiting = await query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return ended || waiting.length > 0 ? true : undefined;
  });
}

/** An evaluation that stops after it has read every variant, until it is told to go on. */
function pausedEvaluation() {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const pausing = (tx: Tx): Tx => ({
    ...tx,
    async query<Row extends object>(text: string, params?: readonly unknown[]) {
      const rows = await tx.query<Row>(text, params);
      if (text.includes('with absent as')) {
        reached.resolve();
        await goOn.promise;
      }
      return rows;
    },
  });
  const db: Database = { ...world.db, transaction: (work) => world.db.transaction((tx) => work(pausing(tx))) };
  const evaluated = evaluateBindings({ ...world.binding, db }, { runId: null });
  return { evaluated, reached: reached.promise, goOn: () => goOn.resolve() };
}

/** Dishes that have vanished from the mirror and are not evaluated yet, each the only one of its product. */
async function vanished(count: number) {
  const dishes = [];
  for (let at = 0; at < count; at += 1) dishes.push(await use.aDish());
  await use.vanish(...dishes.map((dish) => dish.itemErpId));
  await importMenu(world, world.menuId, 'FULL');
  return dishes;
}

/** The smallest size of a dish that no product uses. */
async function freeSize(): Promise<number> {
  const [size] = await query<{ id: number }>(
    `select min(size.id) as id from mirror_item_size size join mirror_item item on item.id = size.item_id
      where item.role = 'DISH' and item.deleted_at is null
        and not exists (select 1 from catalog_item_binding binding where binding.item_id = item.id)`,
  );
  return size!.id;
}

test('evaluations at once take turns: every loss is written, audited and told once', async () => {
  const dishes = await vanished(3);
  await query('delete from notification');

  const results = await Promise.all(Array.from({ length: rounds(6) }, () => use.evaluate()));

  expect(results.map((each) => each.missing).toSorted((a, b) => b - a)).toEqual([3, ...results.slice(1).map(() => 0)]);
  const variantIds = dishes.flatMap((dish) => dish.variantIds);
  const [written] = await query(
    `select (select count(*) from binding_incident where variant_id = any ($1::bigint[])) as incidents,
            (select count(*) from audit_entry where entity_type = 'variant' and entity_id = any ($2)) as audited,
            (select count(*) from notification where kind = 'BINDING_MISSING') as notices`,
    [variantIds, variantIds.map(String)],
  );
  expect(written).toEqual({ incidents: 3, audited: 3, notices: 1 });
});

describe('an item that comes back while it is evaluated', () => {
  test('is not missed when its import has committed', async () => {
    const [dish] = await vanished(1);
    const evaluation = pausedEvaluation();
    await evaluation.reached;
    await use.bringBack(dish!.itemErpId);
    await importMenu(world, world.menuId, 'FULL');
    evaluation.goOn();

    expect(await evaluation.evaluated).toMatchObject({ missing: 0, unpublished: 0 });
    expect(await use.incidents(dish!.variantIds[0]!)).toEqual([]);
  });

  test('is not missed while its import has not committed, and the evaluation does not wait for it', async () => {
    const [dish] = await vanished(1);
    const evaluated = await world.db.bulkTransaction(async (tx) => {
      await tx.query('update mirror_item set deleted_at = null where id = $1', [dish!.itemId]);
      return use.evaluate();
    });

    expect(evaluated).toMatchObject({ missing: 0, unpublished: 0 });
    expect(evaluated.graceEndsInMs).toBeLessThanOrEqual(1_000);
    expect(await use.evaluate()).toMatchObject({ missing: 0, returned: 0 });
  });
});

test('a rebind during an evaluation is not undone by what the evaluation has read', async () => {
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
  expect((await use.incidents(variantId)).map((each) => each.resolution)).toEqual(['REBOUND']);
});

test('a dismissal that loses against the return of the item is refused and changes nothing', async () => {
  const [dish] = await vanished(1);
  const [variantId = 0] = dish!.variantIds;
  await use.evaluate();
  const [incident] = await use.incidents(variantId);
  const { promise: closed, resolve: isClosed } = Promise.withResolvers<void>();
  const { promise: commit, resolve: mayCommit } = Promise.withResolvers<void>();
  const returning = world.db.transaction(async (tx) => {
    await closeIncidents(tx, 'itemReturns', [variantId], ['ITEM_MISSING'], null);
    isClosed();
    await commit;
  });
  await closed;
  const dismissal = dismissIncident(deps, STAFF, incident!.id, { note: 'Снято' }).catch((error: unknown) => error);
  await endsOrWaits(dismissal);
  mayCommit();
  await returning;

  expect(await dismissal).toMatchObject({ kind: 'invalid-transition' });
  expect(await use.incidents(variantId)).toMatchObject([{ status: 'CLOSED', resolution: 'ITEM_RETURNED' }]);
});

test('of rebinds and new products that want one dish at once exactly one gets it', async () => {
  const variants = (await vanished(3)).map((dish) => dish.variantIds[0]!);
  await use.evaluate();
  const erpItemSizeId = await freeSize();
  const wanted = [
    ...variants.map((id) => () => rebindVariant(deps, STAFF, id, { erpItemSizeId })),
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

  const refusals = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as { kind: string }] : []));
  expect(refusals.map(({ kind }) => kind)).toEqual(settled.slice(1).map(() => 'item-already-bound'));
  expect(await query('select 1 from catalog_variant where item_size_id = $1', [erpItemSizeId])).toHaveLength(1);
});

test('a rebind learns of a publication that commits just before it', async () => {
  const dish = await use.aDish('DRAFT');
  const erpItemSizeId = await freeSize();
  const { promise: commit, resolve: mayCommit } = Promise.withResolvers<void>();
  const { promise: published, resolve: isPublished } = Promise.withResolvers<void>();
  const publishing = world.db.bulkTransaction(async (tx) => {
    await tx.query(`update catalog_product set status = 'PUBLISHED' where id = $1`, [dish.productId]);
    isPublished();
    await commit;
  });
  await published;
  await query('delete from outbox');
  const rebound = rebindVariant(deps, STAFF, dish.variantIds[0]!, { erpItemSizeId });
  await endsOrWaits(rebound);
  mayCommit();
  await Promise.all([publishing, rebound]);

  expect((await query<{ event: string }>('select event from outbox')).map((each) => each.event)).toContain(
    'CatalogChanged',
  );
});

test('an evaluation and staff who move its products do not deadlock', async () => {
  const [low, high] = await vanished(2);
  // The variant with the smaller id belongs to the product with the larger one: incidents alone would lock against the order.
  const swap = `update catalog_variant set product_id = $2, is_default = false where id = $1`;
  await query(swap, [low!.variantIds[0], high!.productId]);
  await query(swap, [high!.variantIds[0], low!.productId]);
  const lock = 'select 1 from catalog_product where id = $1 for update';
  const { promise: evaluationWaits, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: holds, resolve: isHeld } = Promise.withResolvers<void>();
  const staff = world.db.bulkTransaction(async (tx) => {
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
