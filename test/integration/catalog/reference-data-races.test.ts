import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBadge, deleteBadge, editBadge } from '../../../modules/catalog/badges.ts';
import {
  editVariantAxis,
  editVariantOption,
} from '../../../modules/catalog/variants/edit-variant-axis.ts';
import { editModifier } from '../../../modules/catalog/modifiers/modifiers.ts';
import { createVariantAxis } from '../../../modules/catalog/variants/variant-axes.ts';
import { giveBadges } from '../../support/bulk.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { countRows, deleteRows, selectRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let deps: { db: (typeof database)['db'] };
let rows: MenuRows;
beforeAll(async () => {
  database = await migratedDatabase();
  deps = { db: database.db };
  rows = menuRows(database.db);
});
afterAll(() => database.close());

let named = 0;
const badge = async () =>
  (await createBadge(deps, STAFF, { code: `B${(named += 1)}`, name: 'x' }, null)).id;
const LATE = { kind: 'version-conflict', details: { extra: { currentVersion: 2 } } };

/** All edits begin while the row is locked: one succeeds, the others get a version conflict. */
async function lateOnes(
  table: string,
  key: string,
  id: number,
  edits: (() => Promise<unknown>)[],
): Promise<unknown[]> {
  let running: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await database.db.transaction(async (tx) => {
    await tx.query(`select 1 from ${table} where ${key} = $1 for update`, [id]);
    running = Promise.allSettled(edits.map((edit) => edit()));
    await delay(200);
  });
  return (await running)!.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
}
const ALL_BUT_ONE = Array.from({ length: 3 }, () => expect.objectContaining(LATE) as unknown);
const NAMES = ['а', 'б', 'в', 'г'];

test('one of two competing edits of a badge succeeds', async () => {
  const id = await badge();
  const edits = NAMES.map((name) => () => editBadge(deps, STAFF, id, { version: 1, name }));

  expect(await lateOnes('catalog_badge', 'id', id, edits)).toEqual(ALL_BUT_ONE);
});

test('one of two competing edits of an axis, or of an option, succeeds', async () => {
  const axis = await createVariantAxis(
    deps,
    STAFF,
    { code: 'SIZE', name: 'Размер', uiType: 'LIST', options: [{ code: 'S', name: 'Малая' }] },
    null,
  );
  const option = { axisId: axis.id, optionId: axis.options[0]!.id };
  const ofAxis = NAMES.map(
    (name) => () => editVariantAxis(deps, STAFF, axis.id, { version: 1, name }),
  );
  const ofOption = NAMES.map(
    (name) => () => editVariantOption(deps, STAFF, option, { version: 1, name }),
  );

  expect(await lateOnes('catalog_variant_axis', 'id', axis.id, ofAxis)).toEqual(ALL_BUT_ONE);
  expect(await lateOnes('catalog_variant_option', 'id', option.optionId, ofOption)).toEqual(
    ALL_BUT_ONE,
  );
});

test('one of two competing profiles of a modifier is stored', async () => {
  const { id, erpId } = await rows.item({ role: 'MODIFIER' });
  await editModifier(deps, STAFF, erpId, { version: 0, position: 1 });
  const edits = NAMES.map(
    (displayName) => () => editModifier(deps, STAFF, erpId, { version: 1, displayName }),
  );

  expect(await lateOnes('catalog_modifier_profile', 'item_id', id, edits)).toEqual(ALL_BUT_ONE);
});

test('competing lists of badges leave one complete list on the product', async () => {
  const productId = await rows.product(await rows.category());
  const ids = [await badge(), await badge(), await badge()];
  const lists = [ids, ids.toReversed(), ids.slice(0, 2), ids.slice(1)];

  const results = await Promise.all(lists.map((list) => giveBadges(database.db, productId, list)));
  const stored = await selectRows(
    database.db,
    'catalog_product_badge',
    ['badgeId as id'],
    { productId },
    { orderBy: 'position' },
  );

  expect(results.map((result) => result.succeeded)).toEqual(lists.map(() => [productId]));
  expect(lists).toContainEqual(stored.map((row) => row.id));
});

test('a badge that is deleted during its assignment is not found, and nothing is stored', async () => {
  const productId = await rows.product(await rows.category());
  const [id, other] = [await badge(), await badge()];
  let giving: Promise<unknown> | undefined;
  await database.db.transaction(async (tx) => {
    await deleteRows(tx, 'catalog_badge', { id });
    giving = giveBadges(database.db, productId, [other, id]).catch((error: unknown) => error);
    await delay(100);
  });

  expect(await giving).toMatchObject({
    kind: 'validation',
    details: { errors: [{ field: 'payload.badgeIds.1', code: 'not_found' }] },
  });
  expect(await countRows(database.db, 'catalog_product_badge', { productId })).toBe(0);
});

test('deleting a badge during its assignment leaves no assignment behind', async () => {
  const productId = await rows.product(await rows.category());
  const id = await badge();

  const [giving] = await Promise.allSettled([
    giveBadges(database.db, productId, [id]),
    delay(5).then(() => deleteBadge(deps, STAFF, id)),
  ]);

  expect(
    giving.status === 'fulfilled' ? 'validation' : (giving.reason as { kind?: string }).kind,
  ).toBe('validation');
  expect(await countRows(database.db, 'catalog_product_badge', { badgeId: id })).toBe(0);
});
