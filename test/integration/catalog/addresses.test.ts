import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { createProduct } from '../../../modules/catalog/products/create-product.ts';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import { listProducts } from '../../../modules/catalog/products/list-products.ts';
import { productOfSlug } from '../../../modules/catalog/reserve-slug.ts';
import { PRODUCT_ISSUES } from '../../../modules/product-issues.ts';
import { getProduct } from '../../../modules/catalog/products/product-views.ts';
import { updateCategory } from '../../../modules/catalog/categories/update-category.ts';
import type { Database } from '../../support/text-database.ts';
import { STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';

let db: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
});
afterAll(() => close());

/** The same rules apply to the slugs of products and categories. */
type Owner = { id: number; slug: string; version: number };
type Kind = {
  create: (name: string) => Promise<Owner>;
  edit: (id: number, change: { version: number; slug?: string; name?: string }) => Promise<Owner>;
};
const KINDS: Readonly<Record<string, Kind>> = {
  product: {
    create: (name) => createProduct({ db }, STAFF, { name }, null),
    edit: (id, change) => editProduct({ db }, STAFF, id, change),
  },
  category: {
    create: (name) => createCategory({ db }, STAFF, { name, parentId: null }, null),
    edit: (id, change) => updateCategory({ db }, STAFF, id, change),
  },
};
const taken = { kind: 'duplicate', details: { errors: [{ field: 'slug', code: 'duplicate' }] } };

describe.each(Object.entries(KINDS))('the address of a %s', (kind, { create, edit }) => {
  test('[CAT-11] comes from the name and stays when the name changes', async () => {
    const owner = await create(`Щи ${kind}`);
    const renamed = await edit(owner.id, { version: 1, name: `Уха ${kind}` });

    expect([owner.slug, renamed.slug]).toEqual([`shchi-${kind}`, `shchi-${kind}`]);
  });

  test('[CAT-11] remains reserved for its former product, which can use it again', async () => {
    const [owner, other] = [await create(`Плов ${kind}`), await create(`Лагман ${kind}`)];
    await edit(owner.id, { version: 1, slug: `plov-po-domashnemu-${kind}` });

    await expect(edit(other.id, { version: 1, slug: `plov-${kind}` })).rejects.toMatchObject(taken);
    expect((await create(`Плов ${kind}`)).slug).toBe(`plov-${kind}-2`);
    expect(await edit(owner.id, { version: 2, slug: `plov-${kind}` })).toMatchObject({
      slug: `plov-${kind}`,
    });
    await expect(
      edit(other.id, { version: 1, slug: `plov-po-domashnemu-${kind}` }),
    ).rejects.toMatchObject(taken);
  });

  test('goes to one of many concurrent requests', async () => {
    const owners = await Promise.all(
      Array.from({ length: 4 }, (_, at) => create(`Соперник ${kind} ${at}`)),
    );
    const wanted = `odin-na-vsekh-${kind}`;
    const audit = await holdTable(db, 'audit_entry');
    const claims = Promise.allSettled(
      owners.map(({ id }) => edit(id, { version: 1, slug: wanted })),
    );
    await audit.waits(owners.length);
    await audit.release();

    const results = await claims;
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(refused).toEqual(Array(3).fill(expect.objectContaining({ kind: 'duplicate' })));

    // A slug is unique among former and current slugs.
    const winner = owners[results.findIndex((result) => result.status === 'fulfilled')]!;
    await edit(winner.id, { version: 2, slug: `${wanted}-bolshe-net` });
    await expect(
      edit(owners.find((owner) => owner !== winner)!.id, { version: 1, slug: wanted }),
    ).rejects.toMatchObject(taken);
  });

  test('receives a suffix if another product is just taking the address of the name', async () => {
    const owner = await create(`Выбирает ${kind}`);
    const audit = await holdTable(db, 'audit_entry');
    const choosing = edit(owner.id, { version: 1, slug: `morozhenoe-${kind}` });
    await audit.waits(1);
    const creating = Promise.allSettled([create(`Мороженое ${kind}`)]);
    await Promise.race([audit.waits(2), creating]);
    await audit.release();
    await choosing;

    expect(await creating).toMatchObject([
      { status: 'fulfilled', value: { slug: `morozhenoe-${kind}-2` } },
    ]);
  });

  test('never collides with the suffix of a concurrent one if the name ends in a number', async () => {
    await create(`Сет ${kind}`);
    const audit = await holdTable(db, 'audit_entry');
    const numbered = create(`Сет ${kind} 2`);
    await audit.waits(1);
    const again = Promise.allSettled([create(`Сет ${kind}`)]);
    await audit.waits(2);
    await audit.release();

    expect(await numbered).toMatchObject({ slug: `set-${kind}-2` });
    expect(await again).toMatchObject([{ status: 'fulfilled', value: { slug: `set-${kind}-3` } }]);
  });
});

test('[CAT-11] a product is found by each of its former addresses', async () => {
  const { id } = await createProduct(
    { db },
    STAFF,
    { name: 'Окрошка', slug: 'okroshka-na-kvase' },
    null,
  );
  await editProduct({ db }, STAFF, id, { version: 1, slug: 'okroshka' });

  expect(await getProduct(db, id)).toMatchObject({
    slug: 'okroshka',
    formerSlugs: ['okroshka-na-kvase'],
  });
  expect(await productOfSlug(db, 'okroshka-na-kvase')).toBe(id);
  expect(await productOfSlug(db, 'okroshka')).toBe(id);
  expect(await productOfSlug(db, 'okroshki')).toBeUndefined();
  const found = await listProducts(
    db,
    { q: 'okroshka-na-kvase', sort: [], limit: 10, offset: 0 },
    PRODUCT_ISSUES,
  );
  expect(found.items.map((item) => item.id)).toEqual([id]);
  await expect(
    createProduct({ db }, STAFF, { name: 'Другая', slug: 'okroshka' }, null),
  ).rejects.toMatchObject(taken);
});
