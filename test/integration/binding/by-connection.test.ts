import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { evaluateBindings } from '../../../modules/binding/evaluate-bindings.ts';
import { bindings, bindingFixture, type BoundDish } from '../../support/bindings.ts';
import { aConnection } from '../../support/connection.ts';
import { importMenu } from '../../support/mirror.ts';
import { repetitions } from '../../support/repetitions.ts';
import {
  addRow,
  countRows,
  databaseNow,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

let fixture: Awaited<ReturnType<typeof bindingFixture>>;
let use: ReturnType<typeof bindings>;
let other: { connectionId: number; menuId: number };
beforeAll(async () => {
  fixture = await bindingFixture();
  use = bindings(fixture);
  const { id: connectionId } = await aConnection(fixture.db, 'other-login');
  const menu = { connectionId, erpId: '9100', name: 'Другое', synchronizedAt: databaseNow() };
  other = { connectionId, menuId: (await addRow(fixture.db, 'mirror_external_menu', menu)).id };
  await addRow(fixture.db, 'external_menu_setting', {
    externalMenuId: other.menuId,
    priority: 200,
  });
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await noneShared();
  await use.cleared();
  await use.grace(0, 30);
});

const evaluate = (connectionId: number) =>
  evaluateBindings(fixture.binding, { runId: null, connectionId });
async function shared(dish: BoundDish): Promise<void> {
  const { name } = await selectRow(fixture.db, 'mirror_item', ['name'], { id: dish.itemId });
  const ofMenu = { externalMenuId: other.menuId, synchronizedRun: 1 };
  await addRow(fixture.db, 'mirror_item_menu', { ...ofMenu, itemId: dish.itemId, name });
  const sizes = await selectRows(fixture.db, 'mirror_item_size', ['id'], { itemId: dish.itemId });
  for (const { id } of sizes)
    await addRow(fixture.db, 'mirror_size_menu', { ...ofMenu, itemSizeId: id });
}
async function noneShared(): Promise<void> {
  for (const table of ['mirror_item_menu', 'mirror_size_menu'] as const)
    await deleteRows(fixture.db, table, { externalMenuId: other.menuId });
}
async function lostByBoth(count: number): Promise<BoundDish[]> {
  const dishes: BoundDish[] = [];
  for (let at = 0; at < count; at += 1) dishes.push(await use.aDish());
  for (const dish of dishes) await shared(dish);
  await evaluate(fixture.connectionId);
  await noneShared();
  await use.vanish(...dishes.map(({ itemErpId }) => itemErpId));
  await importMenu(fixture, fixture.menuId, 'FULL');
  return dishes;
}

describe('[BND-40] the evaluation of a connection', () => {
  test('reads the products with an item in its menus', async () => {
    const [dish] = [await use.aDish(), await use.aDish()];
    const before = await evaluate(other.connectionId);
    await shared(dish);

    expect(before.variants).toBe(0);
    expect((await evaluate(other.connectionId)).variants).toBe(1);
    expect((await evaluate(fixture.connectionId)).variants).toBe(2);
  });

  test('keeps an item that is still in a menu of another connection', async () => {
    const dish = await use.aDish();
    await shared(dish);
    await evaluate(fixture.connectionId);
    await use.vanish(dish.itemErpId);
    await importMenu(fixture, fixture.menuId, 'FULL');
    const results = [await evaluate(fixture.connectionId), await evaluate(other.connectionId)];

    expect(results.map(({ missing }) => missing)).toEqual([0, 0]);
    expect(await use.variant(dish.variantIds[0]!)).toMatchObject({ state: 'OK' });
  });

  test('loses an item that is in no menu, for each connection that last listed it', async () => {
    const [dish] = await lostByBoth(1);

    expect((await evaluate(other.connectionId)).missing).toBe(1);
    expect((await evaluate(fixture.connectionId)).missing).toBe(0);
    expect(await use.incidents(dish!.variantIds[0]!)).toHaveLength(1);
  });

  test('keeps a product published if another variant is in a menu of another connection', async () => {
    const [lost, kept] = await use.aProduct({ dishes: 2 });
    await use.evaluate();
    await updateRows(
      fixture.db,
      'mirror_item_menu',
      { externalMenuId: other.menuId },
      { itemId: kept!.itemId, externalMenuId: fixture.menuId },
    );
    await use.evaluate();
    await updateRows(fixture.db, 'mirror_item', { deletedAt: databaseNow() }, { id: lost!.itemId });
    await use.deletedEarlier(lost!.itemId, 60);
    const { missing, unpublished } = await evaluate(fixture.connectionId);

    expect({ missing, unpublished }).toEqual({ missing: 1, unpublished: 0 });
    expect(await use.product(lost!.productId)).toMatchObject({ status: 'PUBLISHED' });
  });

  test('takes turns with the evaluation of another connection, so every loss is one incident', async () => {
    const dishes = await lostByBoth(3);
    const count = repetitions(4);
    const results = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        evaluate(at % 2 === 0 ? fixture.connectionId : other.connectionId),
      ),
    );

    expect(results.reduce((sum, { missing }) => sum + missing, 0)).toBe(3);
    expect(await countRows(fixture.db, 'binding_incident', { type: 'ITEM_MISSING' })).toBe(3);
    for (const { variantIds } of dishes)
      expect(await use.incidents(variantIds[0]!)).toHaveLength(1);
    const [{ connections } = { connections: {} }] = await selectRows(
      fixture.db,
      'binding_evaluation',
      ['connections'],
    );
    expect(new Set(Object.keys(connections).map(Number))).toEqual(
      new Set([fixture.connectionId, other.connectionId]),
    );
  });
});
