import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claimItems } from '../../../modules/catalog/variants/claim-items.ts';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { createVariantAxis } from '../../../modules/catalog/variants/variant-axes.ts';
import type { Database } from '../../support/text-database.ts';
import { isProblem } from '../../../kernel/problem.ts';
import type { NewProductOfItems } from '../../../modules/catalog/schemas/catalog-requests.ts';
import { buildDish, buildMirror, STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { watched } from '../../support/watched.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { addRow, countRows, deleteRows, like, selectRows } from '../../support/rows.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

let db: Database;
let close: () => Promise<void>;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let categoryIds: number[];

beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  mirror = await buildMirror(db, { organizations: 2 });
  const category = (name: string) => createCategory({ db }, STAFF, { name, parentId: null }, null);
  categoryIds = [(await category('Пиццы')).id, (await category('Новинки')).id];
  const options = ['25', '30', '35'].map((code) => ({ code, name: `${code} см` }));
  await createVariantAxis(
    { db },
    STAFF,
    { code: 'SIZE', name: 'Размер', uiType: 'SEGMENTED', options },
    null,
  );
});
afterAll(() => close());

const unsized = (name: string, sizeId: number): NewProductOfItems => ({
  name,
  variantAxisCode: null,
  mainImageId: null,
  categoryIds,
  variants: [{ erpItemSizeId: sizeId, variantOptionCode: null, isDefault: false }],
});
const create = (request: NewProductOfItems) => createProductOfItems({ db }, STAFF, request, null);

describe('a product of a dish', () => {
  test('[BND-2] starts as a draft with variants, placements, the bound dish, triage and an audit entry', async () => {
    const dish = await buildDish(db, mirror, {
      name: 'Маргарита',
      sku: 'P-7',
      sizes: ['25', '30', '35'],
      defaultSize: '30',
      price: 45_000,
    });

    const product = await create({
      name: ' Пицца Маргарита ',
      variantAxisCode: 'SIZE',
      mainImageId: null,
      categoryIds,
      variants: dish.sizeIds.map((erpItemSizeId, at) => ({
        erpItemSizeId,
        variantOptionCode: ['25', '30', '35'][at]!,
        isDefault: false,
      })),
    });

    expect(product).toEqual({ id: expect.any(Number), slug: 'pitstsa-margarita', status: 'DRAFT' });
    const variants = await db.db
      .selectFrom('catalog_variant as variant')
      .innerJoin('catalog_variant_option as option', 'option.id', 'variant.optionId')
      .where('variant.productId', '=', product.id)
      .select((row) => [
        'option.code',
        'variant.isDefault',
        'variant.position',
        'variant.lastSeenName as name',
        'variant.lastSeenSku as sku',
        'variant.lastSeenPriceKopecks as price',
        row('variant.lastSeenAt', 'is not', null).as('seen'),
        'variant.bindingState as state',
      ])
      .orderBy('variant.position')
      .execute();
    const seen = { name: 'Маргарита', seen: true, state: 'OK' };
    expect(variants).toEqual([
      { ...seen, code: '25', isDefault: false, position: 0, sku: 'P-7-1', price: 45_000 },
      { ...seen, code: '30', isDefault: true, position: 1, sku: 'P-7-2', price: 90_000 },
      { ...seen, code: '35', isDefault: false, position: 2, sku: 'P-7-3', price: 135_000 },
    ]);
    const placements = await selectRows(
      db,
      'catalog_product_category',
      ['categoryId as id', 'isPrimary'],
      { productId: product.id },
      { orderBy: 'categoryId' },
    );
    expect(placements).toEqual([
      { id: categoryIds[0], isPrimary: true },
      { id: categoryIds[1], isPrimary: false },
    ]);
    const [item] = await db.query(
      `select triage.status as triage, product_id as "productId" from catalog_item_binding binding
         join catalog_item_triage triage using (item_id) where item_id = $1`,
      [dish.itemId],
    );
    expect(item).toEqual({ triage: 'LINKED', productId: product.id });
    const audit = await selectRows(db, 'audit_entry', ['action', 'actorId'], {
      entityType: 'product',
      entityId: String(product.id),
    });
    expect(audit).toEqual([{ action: 'create', actorId: 1 }]);
  });

  test('[CAT-10] receives an address of its own if its name is used', async () => {
    const dishes = await Promise.all([
      buildDish(db, mirror),
      buildDish(db, mirror),
      buildDish(db, mirror),
    ]);
    const products = await Promise.all(
      dishes.map((dish) => create(unsized('Солянка', dish.sizeIds[0]!))),
    );
    expect(products.map((product) => product.slug).toSorted()).toEqual([
      'solyanka',
      'solyanka-2',
      'solyanka-3',
    ]);
  });

  test('[CAT-5] fails with every invalid field and leaves nothing behind', async () => {
    const before = await db.db
      .selectFrom('catalog_product')
      .select((row) => row.fn.countAll<number>().as('products'))
      .execute();
    const broken = await awaitRefusal(
      create({
        name: '  ',
        variantAxisCode: 'COLOUR',
        mainImageId: 999_999,
        categoryIds: [999_999],
        variants: [{ erpItemSizeId: 999_999, variantOptionCode: null, isDefault: false }],
      }),
    );
    expect(broken.kind).toBe('validation');
    expect(broken.errors?.map((error) => `${error.field} ${error.code}`)).toEqual([
      'name required',
      'variantAxisCode not_found',
      'mainImageId not_found',
      'categoryIds.0 not_found',
      'variants.0.erpItemSizeId not_found',
      'variants.0.variantOptionCode required',
    ]);
    expect(
      await db.db
        .selectFrom('catalog_product')
        .select((row) => row.fn.countAll<number>().as('products'))
        .execute(),
    ).toEqual(before);
  });
});

describe('a dish that belongs to another product', () => {
  test('produces a conflict that names the product, for every size', async () => {
    const dish = await buildDish(db, mirror, { sizes: ['25', '30'] });
    const owner = await create(unsized('Первый', dish.sizeIds[0]!));

    expect(await awaitRefusal(create(unsized('Второй', dish.sizeIds[1]!)))).toMatchObject({
      kind: 'item-already-bound',
      extra: { code: 'ITEM_ALREADY_BOUND', boundProduct: { id: owner.id, name: 'Первый' } },
    });
    expect(await countRows(db, 'catalog_product', { name: 'Второй' })).toBe(0);
  });

  test('makes the second of two concurrent requests wait, fail and leave nothing', async () => {
    const dish = await buildDish(db, mirror, { sizes: ['25', '30'] });
    const first = Promise.withResolvers<void>();
    const claimed = Promise.withResolvers<{ id: number }>();

    // The first command does not commit its claim until the second waits for the claim.
    const holder = db.transaction(async (tx) => {
      const product = await addRow(tx, 'catalog_product', { slug: 'holder', name: 'Держатель' });
      await addRow(tx, 'catalog_item_binding', { itemId: dish.itemId, productId: product.id });
      claimed.resolve(product);
      await first.promise;
    });
    const { id } = await claimed.promise;
    const second = awaitRefusal(create(unsized('Опоздавший', dish.sizeIds[1]!)));
    await untilSomebodyWaits();
    first.resolve();
    await holder;

    expect(await second).toMatchObject({
      kind: 'item-already-bound',
      extra: { code: 'ITEM_ALREADY_BOUND', boundProduct: { id, name: 'Держатель' } },
    });
    expect(await countRows(db, 'catalog_product', { name: 'Опоздавший' })).toBe(0);
  });

  test('produces a conflict even if the product releases it at that moment', async () => {
    const dish = await buildDish(db, mirror);
    const owner = await create(unsized('Прежний', dish.sizeIds[0]!));
    const other = await create(unsized('Желающий', (await buildDish(db, mirror)).sizeIds[0]!));
    let givenUp: Promise<unknown> | undefined;
    const refused = await db.transaction((tx) => {
      // The variant is removed between the first two statements of the claim.
      const claiming = watched(tx, () => {
        givenUp ??= deleteRows(db, 'catalog_item_binding', { itemId: dish.itemId });
        return Promise.race([givenUp, untilSomebodyWaits()]);
      });
      return awaitRefusal(claimItems(claiming, other.id, [dish.itemId]));
    });
    await givenUp;

    expect(refused).toMatchObject({
      kind: 'item-already-bound',
      extra: { boundProduct: { id: owner.id } },
    });
  });

  test('[BND-1] goes to exactly one of many concurrent requests', async () => {
    const dish = await buildDish(db, mirror);
    const attempts = await Promise.allSettled(
      Array.from({ length: 6 }, (_, at) => create(unsized(`Гонка ${at}`, dish.sizeIds[0]!))),
    );
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
    const kinds = attempts.flatMap((attempt) =>
      attempt.status === 'rejected'
        ? [isProblem(attempt.reason) ? attempt.reason.kind : String(attempt.reason)]
        : [],
    );
    expect(won).toHaveLength(1);
    expect(kinds).toEqual(Array(5).fill('item-already-bound'));
    expect(await countRows(db, 'catalog_product', { name: like('Гонка%') })).toBe(1);
  });
});

test('[BND-2] a repeated Idempotency-Key returns the same product and creates it once', async () => {
  const dish = await buildDish(db, mirror);
  const request = unsized('Однажды', dish.sizeIds[0]!);
  const idempotency = {
    scope: 'test',
    key: 'key-1',
    fingerprint: 'same',
    isSameRequest: (stored: string) => stored === 'same',
    status: 201,
  };

  const first = await createProductOfItems({ db }, STAFF, request, idempotency);
  const again = await createProductOfItems({ db }, STAFF, request, idempotency);

  expect(again).toEqual(first);
  expect(await countRows(db, 'catalog_product', { name: 'Однажды' })).toBe(1);
});

async function untilSomebodyWaits(): Promise<void> {
  await eventually('somebody waits', async () =>
    (await waitingSessions(db)) > 0 ? true : undefined,
  );
}
