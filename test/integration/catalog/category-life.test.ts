import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProductOfItems } from '../../../modules/catalog/products/create-product-of-items.ts';
import { archiveCategory } from '../../../modules/catalog/categories/archive-category.ts';
import {
  categoryTree,
  getCategory,
  listCategories,
  listCategoryProducts,
  treeVersion,
} from '../../../modules/catalog/categories/category-views.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { CATALOG_ISSUES } from '../../../modules/catalog/products/list-products.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import { orderCategoryProducts } from '../../../modules/catalog/categories/order-category-products.ts';
import { restoreCategory } from '../../../modules/catalog/categories/restore-category.ts';
import { saveCategoryTree } from '../../../modules/catalog/categories/save-category-tree.ts';
import { updateCategory } from '../../../modules/catalog/categories/update-category.ts';
import type { Database } from '../../support/text-database.ts';
import { buildDish, buildMirror, STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { countRows, selectRows, updateRows } from '../../support/rows.ts';

let db: Database;
let close: () => Promise<void>;
let mirror: Awaited<ReturnType<typeof buildMirror>>;

beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  mirror = await buildMirror(db);
});
afterAll(() => close());

let serial = 0;
const create = (parentId: number | null = null) =>
  createCategory({ db }, STAFF, { name: `Раздел ${(serial += 1)}`, parentId }, null);
const update = (id: number, change: Parameters<typeof updateCategory>[3]) =>
  updateCategory({ db }, STAFF, id, change);
type Nodes = Parameters<typeof saveCategoryTree>[2]['nodes'];
const save = async (...nodes: Nodes) =>
  saveCategoryTree({ db }, STAFF, { version: await treeVersion(db), nodes });
async function product(...categoryIds: number[]): Promise<number> {
  const dish = await buildDish(db, mirror, { name: `Блюдо ${(serial += 1)}` });
  const variants = [{ erpItemSizeId: dish.sizeIds[0]!, variantOptionCode: null, isDefault: true }];
  const request = {
    name: `Блюдо ${serial}`,
    variantAxisCode: null,
    mainImageId: null,
    categoryIds,
    variants,
  };
  return (await createProductOfItems({ db }, STAFF, request, null)).id;
}
const refused = (code: string, field: string) => ({
  kind: 'validation',
  details: { errors: expect.arrayContaining([expect.objectContaining({ code, field })]) },
});

describe('a change of a category', () => {
  test('keeps the slug when the name changes, and accepts another free slug', async () => {
    const [category, other] = [await create(), await create()];

    const renamed = await update(category.id, { version: 1, name: '  Завтраки ' });
    const moved = await update(category.id, { version: 2, slug: 'zavtraki-s-soboj' });

    expect(renamed).toMatchObject({ name: 'Завтраки', slug: category.slug, version: 2 });
    expect(moved).toMatchObject({ slug: 'zavtraki-s-soboj', version: 3 });
    await expect(update(category.id, { version: 3, slug: other.slug })).rejects.toMatchObject({
      kind: 'duplicate',
    });
  });

  test('requires the current version, and writes nothing when nothing changes', async () => {
    const category = await create();

    expect(await update(category.id, { version: 1, name: category.name })).toMatchObject({
      version: 1,
    });
    await expect(update(category.id, { version: 7, name: 'Поздно' })).rejects.toMatchObject({
      kind: 'version-conflict',
      details: { extra: { currentVersion: 1 } },
    });
    await expect(update(category.id, { version: 1, imageId: 999_999 })).rejects.toMatchObject(
      refused('not_found', 'imageId'),
    );
  });

  test('[CAT-19] sets texts for search engines, and removes them', async () => {
    const category = await create();

    expect(category).toMatchObject({ seoTitle: null, seoDescription: null });
    const told = await update(category.id, {
      version: 1,
      seoTitle: ' Пицца с доставкой ',
      seoDescription: 'Из печи',
    });
    expect(told).toMatchObject({
      seoTitle: 'Пицца с доставкой',
      seoDescription: 'Из печи',
      version: 2,
    });
    expect(await update(category.id, { version: 2, seoTitle: ' ' })).toMatchObject({
      seoTitle: null,
      seoDescription: 'Из печи',
    });
  });

  test('moves it last under its new parent, never below itself and never too deep', async () => {
    const [root, sibling] = [await create(), await create()];
    const child = await create(root.id);
    const grandchild = await create(child.id);
    const deepest = await create(grandchild.id);

    await expect(update(root.id, { version: 1, parentId: grandchild.id })).rejects.toMatchObject(
      refused('cycle', 'parentId'),
    );
    await expect(update(root.id, { version: 1, parentId: sibling.id })).rejects.toMatchObject(
      refused('too_deep', 'parentId'),
    );
    const moved = await update(deepest.id, { version: 1, parentId: root.id });
    expect(moved).toMatchObject({ parentId: root.id, position: 1 });
    expect(await update(deepest.id, { version: 2, parentId: null })).toMatchObject({
      parentId: null,
    });
  });
});

describe('the saved category tree', () => {
  test('moves and orders many categories together and does not change the others', async () => {
    const [one, two, three, other] = [
      await create(),
      await create(),
      await create(),
      await create(),
    ];

    await save(
      { id: three.id, parentId: null, position: 100 },
      { id: one.id, parentId: three.id, position: 1 },
      { id: two.id, parentId: three.id, position: 0 },
    );

    const { items: tree } = await categoryTree(db);
    const node = tree.find((entry) => entry.id === three.id)!;
    expect(node.children.map((child) => child.id)).toEqual([two.id, one.id]);
    expect(await getCategory(db, other.id)).toMatchObject({ version: 1, position: other.position });
  });

  test('[CAT-13] fails as a whole for circles, unknown ids, repetitions and depth', async () => {
    const [one, two] = [await create(), await create()];
    const before = await categoryTree(db);
    const place = (id: number, parentId: number | null) => ({ id, parentId, position: 5 });

    await expect(save(place(one.id, two.id), place(two.id, one.id))).rejects.toMatchObject(
      refused('cycle', 'nodes.0.parentId'),
    );
    await expect(save(place(one.id, null), place(999_999, null))).rejects.toMatchObject(
      refused('not_found', 'nodes.1.id'),
    );
    await expect(save(place(one.id, 999_999))).rejects.toMatchObject(
      refused('not_found', 'nodes.0.parentId'),
    );
    await expect(save(place(one.id, null), place(one.id, two.id))).rejects.toMatchObject(
      refused('duplicate', 'nodes.1.id'),
    );
    expect(await categoryTree(db)).toEqual(before);
  });

  test('[CAT-58] rejects an editor who has not seen the last change of any category', async () => {
    const [one, two] = [await create(), await create()];
    const version = await treeVersion(db);
    const saveAt = (seen: number, id: number) =>
      saveCategoryTree({ db }, STAFF, {
        version: seen,
        nodes: [{ id, parentId: null, position: 70 }],
      });

    const saved = await saveAt(version, one.id);
    const outcome = saveAt(version, two.id);

    expect(saved.version).toBe(version + 1);
    await expect(outcome).rejects.toMatchObject({
      kind: 'version-conflict',
      details: { extra: { currentVersion: version + 1 } },
    });
    expect(await getCategory(db, two.id)).toMatchObject({ position: two.position, version: 1 });
    await saveAt(saved.version, two.id);
  });

  test('[CAT-58] accepts exactly one of several concurrent editors', async () => {
    const [one, two] = [await create(), await create()];
    const version = await treeVersion(db);

    const outcomes = await Promise.allSettled(
      [one.id, two.id, one.id, two.id].map((id, at) =>
        saveCategoryTree({ db }, STAFF, {
          version,
          nodes: [{ id, parentId: null, position: 80 + at }],
        }),
      ),
    );

    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    expect(await treeVersion(db)).toBe(version + 1);
  });

  test('[CAT-58] changes its version with each created, renamed, archived and restored category', async () => {
    const versions = [await treeVersion(db)];
    const note = async () => versions.push(await treeVersion(db));
    const { id } = await create();
    await note();
    await update(id, { version: 1, name: 'Другое' });
    await note();
    await archiveCategory({ db }, STAFF, id);
    await note();
    await restoreCategory({ db }, STAFF, id);
    await note();

    expect(versions.map((version) => version - versions[0]!)).toEqual([0, 1, 2, 3, 4]);
    expect(await listCategories(db, false, { page: 1, size: 1 })).toMatchObject({
      version: versions.at(-1),
    });
  });

  test('never becomes a circle through concurrent moves that are harmless alone', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, two, three] = [await create(), await create(), await create()];

      const outcomes = await Promise.allSettled([
        update(one.id, { version: 1, parentId: two.id }),
        update(two.id, { version: 1, parentId: three.id }),
        update(three.id, { version: 1, parentId: one.id }),
      ]);

      expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(1);
      const circles = await db.query(
        `with recursive upward as (
           select id as start, parent_id from catalog_category where id = any ($1::bigint[])
           union select start, parent.parent_id from upward join catalog_category parent on parent.id = upward.parent_id)
         select start from upward where parent_id = start`,
        [[one.id, two.id, three.id]],
      );
      expect(circles).toEqual([]);
    }
  });
});

describe('the restoring of a category', () => {
  const archivedIds = async () =>
    (await listCategories(db, true, { page: 1, size: 200 })).items.map(({ id }) => id);

  test('[CAT-59] returns it last to its former parent, with slug and products', async () => {
    const parent = await create();
    const child = await create(parent.id);
    const sibling = await create(parent.id);
    const productId = await product(child.id);
    await moveProduct({ db }, STAFF, productId, 'archive');
    await archiveCategory({ db }, STAFF, child.id, true);

    expect((await archivedIds())[0]).toBe(child.id);
    const restored = await restoreCategory({ db }, STAFF, child.id);
    expect(restored).toMatchObject({
      archivedAt: null,
      parentId: parent.id,
      slug: child.slug,
      name: child.name,
    });
    expect(restored.position).toBe(sibling.position + 1);
    expect(await archivedIds()).not.toContain(child.id);
    expect(await restoreCategory({ db }, STAFF, child.id)).toEqual(restored);
    const page = { page: 1, size: 50, limit: 50, offset: 0, sort: [], status: undefined };
    expect((await listCategoryProducts(db, child.id, page, CATALOG_ISSUES)).items).toMatchObject([
      { id: productId },
    ]);
  });

  test('[CAT-59] returns it to the top level if its parent is archived or now too deep', async () => {
    const [parent, deep] = [await create(), await create()];
    const [orphan, leaf] = [await create(parent.id), await create(deep.id)];
    await archiveCategory({ db }, STAFF, orphan.id);
    await archiveCategory({ db }, STAFF, leaf.id);
    await archiveCategory({ db }, STAFF, parent.id);
    const second = await create((await create((await create()).id)).id);
    await update(deep.id, { version: 1, parentId: second.id });

    expect(await restoreCategory({ db }, STAFF, orphan.id)).toMatchObject({ parentId: null });
    expect(await restoreCategory({ db }, STAFF, leaf.id)).toMatchObject({ parentId: null });
    await expect(restoreCategory({ db }, STAFF, 999_999)).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});

describe('the archiving of a category', () => {
  test('[CAT-14] fails while it contains products or categories, and counts archived products separately', async () => {
    const parent = await create();
    const child = await create(parent.id);
    const productId = await product(child.id);

    await expect(archiveCategory({ db }, STAFF, parent.id)).rejects.toMatchObject({
      kind: 'category-not-empty',
      details: { extra: { productCount: 0, archivedProductCount: 0, categoryCount: 1 } },
    });
    await expect(archiveCategory({ db }, STAFF, child.id)).rejects.toMatchObject({
      kind: 'category-not-empty',
      details: { extra: { productCount: 1, archivedProductCount: 0, categoryCount: 0 } },
    });
    // The flag allows only archived products.
    await expect(archiveCategory({ db }, STAFF, child.id, true)).rejects.toMatchObject({
      kind: 'category-not-empty',
    });
    await moveProduct({ db }, STAFF, productId, 'archive');
    await expect(archiveCategory({ db }, STAFF, child.id)).rejects.toMatchObject({
      kind: 'category-not-empty',
      details: { extra: { productCount: 0, archivedProductCount: 1, categoryCount: 0 } },
    });
    await archiveCategory({ db }, STAFF, child.id, true);
    await archiveCategory({ db }, STAFF, child.id);
    await archiveCategory({ db }, STAFF, parent.id);

    expect((await categoryTree(db)).items.map((node) => node.id)).not.toContain(parent.id);
    const audit = await selectRows(db, 'audit_entry', '*', {
      entityType: 'category',
      entityId: String(child.id),
    });
    expect(audit).toHaveLength(2);
    await expect(update(child.id, { version: 2, name: 'Снова' })).rejects.toMatchObject({
      kind: 'invalid-transition',
    });
  });

  test.each([
    ['DRAFT', 'ARCHIVED', { productCount: 1, archivedProductCount: 1, categoryCount: 0 }],
    ['ARCHIVED', 'ARCHIVED', { productCount: 0, archivedProductCount: 2, categoryCount: 0 }],
    ['DRAFT', 'UNPUBLISHED', { productCount: 2, archivedProductCount: 0, categoryCount: 0 }],
  ] as const)('[CAT-14] counts products that are %s and %s', async (one, other, extra) => {
    const category = await create();
    for (const status of [one, other])
      await updateRows(db, 'catalog_product', { status }, { id: await product(category.id) });

    await expect(archiveCategory({ db }, STAFF, category.id)).rejects.toMatchObject({
      details: { extra },
    });
    const isLive = extra.productCount > 0;
    const outcome = await archiveCategory({ db }, STAFF, category.id, true).then(
      () => null,
      (error: Error) => error,
    );
    expect(outcome === null).toBe(!isLive);
  });

  test('never keeps a product in an archived category if the product is added concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const category = await create();

      const outcomes = await Promise.allSettled([
        product(category.id),
        archiveCategory({ db }, STAFF, category.id),
        create(category.id),
      ]);

      const { archivedAt, productCount } = await getCategory(db, category.id);
      const count = await countRows(db, 'catalog_category', {
        parentId: category.id,
        archivedAt: null,
      });
      expect(outcomes.map((outcome) => outcome.status)).toContain('fulfilled');
      expect(archivedAt === null ? 0 : productCount + count).toBe(0);
    }
  });
});

describe('the order of products', () => {
  test('[CAT-60] appears to staff by pages and status', async () => {
    const category = await create();
    const [one, two, three] = [
      await product(category.id),
      await product(category.id),
      await product(category.id),
    ];
    await moveProduct({ db }, STAFF, two, 'archive');
    await orderCategoryProducts({ db }, STAFF, category.id, [three, two, one]);
    const read = async (page: number, size: number, status?: 'ARCHIVED') => {
      const paging = { page, size, limit: size, offset: (page - 1) * size, sort: [], status };
      const { items, total } = await listCategoryProducts(db, category.id, paging, CATALOG_ISSUES);
      return { ids: items.map(({ id }) => id), total };
    };

    expect(await read(1, 2)).toEqual({ ids: [three, two], total: 3 });
    expect(await read(2, 2)).toEqual({ ids: [one], total: 3 });
    expect(await read(1, 2, 'ARCHIVED')).toEqual({ ids: [two], total: 1 });
    const paging = { page: 1, size: 1, limit: 1, offset: 0, sort: [], status: undefined };
    await expect(listCategoryProducts(db, 999_999, paging, CATALOG_ISSUES)).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  test('[CAT-15] begins with the listed products, and the same order writes nothing', async () => {
    const category = await create();
    const [one, two, three] = [
      await product(category.id),
      await product(category.id),
      await product(category.id),
    ];
    const order = (productIds: number[]) =>
      orderCategoryProducts({ db }, STAFF, category.id, productIds);

    expect(await order([three, one])).toEqual({ productIds: [three, one, two] });
    const entries = () =>
      selectRows(db, 'audit_entry', '*', {
        action: 'order-products',
        entityId: String(category.id),
      });
    const written = (await entries()).length;
    expect(await order([three, one, two])).toEqual({ productIds: [three, one, two] });
    expect((await entries()).length).toBe(written);
    await expect(order([one, 999_999])).rejects.toMatchObject(refused('not_found', 'productIds.1'));
    await expect(order([one, one])).rejects.toMatchObject(refused('duplicate', 'productIds.1'));
  });
});
