import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { createBadge, editBadge } from '../../../modules/catalog/badges.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { editVariantAxis } from '../../../modules/catalog/variants/edit-variant-axis.ts';
import { updateCategory } from '../../../modules/catalog/categories/update-category.ts';
import { createVariantAxis } from '../../../modules/catalog/variants/variant-axes.ts';
import type { Database } from '../../support/text-database.ts';
import {
  createFranchisee,
  updateFranchisee,
} from '../../../modules/connections/franchise/franchisees.ts';
import { giveBadges } from '../../support/bulk.ts';
import { buildDish, buildMirror, STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';
import { selectRows } from '../../support/rows.ts';

let db: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
});
afterAll(() => close());

/** Runs two commands concurrently. Each waits for the audit or for the other command. */
async function meeting<T>(
  commands: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const audit = await holdTable(db, 'audit_entry');
  const results = Promise.allSettled(commands.map((command) => command()));
  await audit.waits(commands.length);
  await audit.release();
  return results;
}

type Edit = (id: number, name: string) => Promise<unknown>;
const version = 1;

test.each<[string, () => Promise<{ id: number }>, Edit]>([
  [
    'category',
    () => createCategory({ db }, STAFF, { name: 'Soups', parentId: null }, null),
    (id, name) => updateCategory({ db }, STAFF, id, { version, name }),
  ],
  [
    'badge',
    () => createBadge({ db }, STAFF, { code: 'NEW', name: 'New' }, null),
    (id, name) => editBadge({ db }, STAFF, id, { version, name }),
  ],
  [
    'axis',
    () =>
      createVariantAxis(
        { db },
        STAFF,
        { code: 'SIZE', name: 'Size', uiType: 'SEGMENTED', options: [] },
        null,
      ),
    (id, name) => editVariantAxis({ db }, STAFF, id, { version, name }),
  ],
  [
    'franchisee',
    () => createFranchisee({ db }, STAFF, { name: 'Owner' }),
    (id, name) => updateFranchisee({ db }, STAFF, { id, version, name }),
  ],
])('one of two concurrent edits of one %s is a conflict', async (_what, create, edit) => {
  const { id } = await create();

  const results = await meeting([() => edit(id, 'One'), () => edit(id, 'Other')]);

  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { kind: 'version-conflict' },
  });
});

test('two products of one name that are created concurrently receive two slugs', async () => {
  const mirror = await buildMirror(db);
  const dishes = [await buildDish(db, mirror), await buildDish(db, mirror)];
  const { id } = await createCategory({ db }, STAFF, { name: 'Drinks', parentId: null }, null);
  const request = { name: 'Lemonade', variantAxisCode: null, mainImageId: null, categoryIds: [id] };

  const results = await meeting(
    dishes.map((dish) => () => {
      const variants = [
        { erpItemSizeId: dish.sizeIds[0]!, variantOptionCode: null, isDefault: true },
      ];
      return createProductOfItems({ db }, STAFF, { ...request, variants }, null);
    }),
  );

  const slugs = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value.slug] : [],
  );
  expect(slugs.toSorted()).toEqual(['lemonade', 'lemonade-2']);
});

describe('badges of products', () => {
  const badge = (code: string) => createBadge({ db }, STAFF, { code, name: code }, null);
  const give = (productId: number, badgeId: number) => giveBadges(db, productId, [badgeId]);
  const given = async (productId: number) =>
    (await selectRows(db, 'catalog_product_badge', ['badgeId as id'], { productId })).map(
      ({ id }) => id,
    );
  let productId: number;
  beforeEach(async () => {
    const mirror = await buildMirror(db);
    const { id } = await createCategory({ db }, STAFF, { name: 'Desserts', parentId: null }, null);
    const dish = await buildDish(db, mirror);
    const variants = [
      { erpItemSizeId: dish.sizeIds[0]!, variantOptionCode: null, isDefault: true },
    ];
    const request = {
      name: 'Cake',
      variantAxisCode: null,
      mainImageId: null,
      categoryIds: [id],
      variants,
    };
    productId = (await createProductOfItems({ db }, STAFF, request, null)).id;
  });

  test('accept two concurrent requests that set the same badges', async () => {
    const { id } = await badge('HOT');

    const results = await meeting([() => give(productId, id), () => give(productId, id)]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await given(productId)).toEqual([id]);
  });

  test('take the badges of the request that had to wait', async () => {
    const [before, other] = [await badge('BEFORE'), await badge('OTHER')];
    await give(productId, before.id);
    const audit = await holdTable(db, 'audit_entry');
    const first = give(productId, other.id);
    await audit.waits(1);
    const second = give(productId, before.id);
    await Promise.race([audit.waits(2), second]);
    await audit.release();
    await Promise.all([first, second]);

    expect(await given(productId)).toEqual([before.id]);
  });
});
