import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBadge } from '../../../modules/catalog/badges.ts';
import { createCategory } from '../../../modules/catalog/categories/create-category.ts';
import { createProduct } from '../../../modules/catalog/products/create-product.ts';
import { editProduct } from '../../../modules/catalog/products/edit-product.ts';
import type { ProductEdit } from '../../../modules/catalog/schemas/catalog-requests.ts';
import {
  listProducts,
  type ProductFilter,
} from '../../../modules/catalog/products/list-products.ts';
import { moveProduct } from '../../../modules/catalog/products/move-product.ts';
import { getProduct } from '../../../modules/catalog/products/product-views.ts';
import { createVariantAxis } from '../../../modules/catalog/variants/variant-axes.ts';
import type { Database } from '../../support/text-database.ts';
import {
  PRODUCT_MOVES,
  PRODUCT_STATUSES,
  type ProductMove,
} from '../../../modules/catalog/rules/states.ts';
import { buildMedia, STAFF } from '../../support/catalog-fixtures.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { PRODUCT_ISSUES } from '../../../modules/product-issues.ts';
import { addRow, countRows, databaseNow, selectRows, updateRows } from '../../support/rows.ts';

let db: Database;
let close: () => Promise<void>;
let rows: MenuRows;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let [mediaId, categoryId, otherCategoryId, badgeId]: number[] = [];
let axis: Awaited<ReturnType<typeof createVariantAxis>>;
beforeAll(async () => {
  ({ db, close } = await migratedDatabase());
  rows = menuRows(db);
  place = await rows.restaurant();
  mediaId = await buildMedia(db);
  categoryId = (await createCategory({ db }, STAFF, { name: 'Супы', parentId: null }, null)).id;
  otherCategoryId = (await createCategory({ db }, STAFF, { name: 'Обеды', parentId: null }, null))
    .id;
  badgeId = (await createBadge({ db }, STAFF, { code: 'NEW', name: 'Новинка' }, null)).id;
  const options = [{ code: 'S', name: 'Малая' }];
  axis = await createVariantAxis(
    { db },
    STAFF,
    { code: 'SIZE', name: 'Размер', uiType: 'SEGMENTED', options },
    null,
  );
});
afterAll(() => close());

let serial = 0;
const create = (content: Partial<Parameters<typeof createProduct>[2]> = {}) =>
  createProduct({ db }, STAFF, { name: `Блюдо ${(serial += 1)}`, ...content }, null);
const edit = (id: number, change: ProductEdit) => editProduct({ db }, STAFF, id, change);
const auditCount = async (id: number) =>
  await countRows(db, 'audit_entry', { entityType: 'product', entityId: String(id) });
const codes = async (work: Promise<unknown>) => {
  const error = (await work.catch((thrown: unknown) => thrown)) as {
    details?: { errors?: { field: string; code: string }[] };
  };
  return error.details?.errors?.map((entry) => `${entry.field} ${entry.code}`);
};

describe('a created product', () => {
  test('[CAT-4] starts as a draft with the given content, hidden from guests', async () => {
    const before = await countRows(db, 'outbox');
    const product = await create({
      name: '  Харчо ',
      subtitle: ' острый ',
      seoTitle: 'Харчо с доставкой',
      mainImageId: mediaId!,
      gallery: [mediaId!],
      variantAxisId: axis.id,
      categoryIds: [otherCategoryId!, categoryId!],
      badgeIds: [badgeId!],
      organizationVisibility: [{ organizationId: place.organizationId, isVisible: false }],
    });

    expect(product).toMatchObject({
      name: 'Харчо',
      slug: 'kharcho',
      status: 'DRAFT',
      version: 1,
      subtitle: 'острый',
      description: null,
      seoTitle: 'Харчо с доставкой',
      seoDescription: null,
      images: { main: { id: mediaId }, hover: null, gallery: [{ id: mediaId }] },
      variantAxis: { code: 'SIZE' },
      categories: [
        { id: otherCategoryId, isPrimary: true },
        { id: categoryId, isPrimary: false },
      ],
      badges: [{ code: 'NEW' }],
      isVisible: true,
      organizationVisibility: [{ organizationId: place.organizationId, isVisible: false }],
      variants: [],
    });
    expect(await auditCount(product.id)).toBe(1);
    expect(await countRows(db, 'outbox')).toBe(before);
  });

  test('exists once for many parallel requests with one key, which receive it or must wait', async () => {
    const key = {
      scope: 'admin/createProduct/1',
      key: 'once',
      fingerprint: 'same',
      isSameRequest: (stored: string) => stored === 'same',
      status: 201,
    };
    const one = () => createProduct({ db }, STAFF, { name: 'Единственный' }, key);

    const results = await Promise.allSettled([one(), one(), one(), one()]);

    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as { kind: string }] : [],
    );
    expect(refused.filter(({ kind }) => kind !== 'idempotency-in-flight')).toEqual([]);
    expect(await selectRows(db, 'catalog_product', ['slug'], { name: 'Единственный' })).toEqual([
      { slug: 'edinstvennyy' },
    ]);
    expect(await one()).toMatchObject({ slug: 'edinstvennyy', createdAt: expect.any(Date) });
  });

  test('[CAT-5] fails with every invalid field', async () => {
    const broken = create({
      name: ' ',
      mainImageId: 999_999,
      hoverImageId: 999_999,
      variantAxisId: 999_999,
      gallery: [999_999],
      categoryIds: [categoryId!, 999_999, categoryId!],
      badgeIds: [999_999],
      organizationVisibility: [{ organizationId: 999_999, isVisible: true }],
    });

    expect(await codes(broken)).toEqual([
      'name required',
      'mainImageId not_found',
      'hoverImageId not_found',
      'variantAxisId not_found',
      'gallery.0 not_found',
      'categoryIds.1 not_found',
      'categoryIds.2 duplicate',
      'badgeIds.0 not_found',
      'organizationVisibility.0.organizationId not_found',
    ]);
  });
});

describe('an edit of a product', () => {
  const changes: [string, () => Omit<ProductEdit, 'version'>, object, object | null][] = [
    ['name', () => ({ name: 'Иначе' }), { name: 'Иначе' }, null],
    ['slug', () => ({ slug: 'inache-nazvan' }), { slug: 'inache-nazvan' }, null],
    ['seoTitle', () => ({ seoTitle: 'Заголовок' }), { seoTitle: 'Заголовок' }, { seoTitle: null }],
    [
      'seoDescription',
      () => ({ seoDescription: 'Текст' }),
      { seoDescription: 'Текст' },
      { seoDescription: null },
    ],
    [
      'composition',
      () => ({ composition: 'Вода' }),
      { composition: 'Вода' },
      { composition: null },
    ],
    [
      'variantAxisId',
      () => ({ variantAxisId: axis.id }),
      { variantAxis: { code: 'SIZE' } },
      { variantAxis: null },
    ],
    ['badgeIds', () => ({ badgeIds: [badgeId!] }), { badges: [{ code: 'NEW' }] }, { badges: [] }],
    [
      'categoryIds',
      () => ({ categoryIds: [categoryId!] }),
      { categories: [{ name: 'Супы' }] },
      { categories: [] },
    ],
    ['isVisible', () => ({ isVisible: false }), { isVisible: false }, null],
    [
      'organizationVisibility',
      () => ({
        organizationVisibility: [{ organizationId: place.organizationId, isVisible: false }],
      }),
      { organizationVisibility: [{ isVisible: false }] },
      { organizationVisibility: [] },
    ],
  ];

  test.each(changes)(
    'stores %s, changes nothing if repeated, and clears the value with null',
    async (field, change, seen, cleared) => {
      const { id } = await create();

      expect(await edit(id, { version: 1, ...change() })).toMatchObject({ ...seen, version: 2 });
      expect(await edit(id, { version: 2, ...change() })).toMatchObject({ ...seen, version: 2 });
      expect(await auditCount(id)).toBe(2);
      const after =
        cleared === null ? await getProduct(db, id) : await edit(id, { version: 2, [field]: null });
      expect(after).toMatchObject(cleared === null ? seen : { ...cleared, version: 3 });
    },
  );

  test('stores one of many concurrent edits of a version, and returns the current one to the others', async () => {
    const { id } = await create();

    const results = await Promise.allSettled(
      ['А', 'Б', 'В', 'Г'].map((subtitle) =>
        edit(id, { version: 1, subtitle, badgeIds: [badgeId!] }),
      ),
    );

    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(refused).toHaveLength(3);
    for (const reason of refused)
      expect(reason).toMatchObject({
        kind: 'version-conflict',
        details: { extra: { currentVersion: 2 } },
      });
    expect(await auditCount(id)).toBe(2);
  });

  test('[CAT-3] preserves the requirements of a publication', async () => {
    const { productId: id } = await rows.dish({
      ...place,
      prices: { [place.organizationId]: 100 },
    });

    expect(await codes(edit(id, { version: 1, mainImageId: null, categoryIds: [] }))).toEqual([
      'mainImageId required',
      'categoryIds required',
    ]);
    const moved = await edit(id, { version: 1, categoryIds: [otherCategoryId!, categoryId!] });
    expect(moved.categories.map((category) => category.id)).toEqual([otherCategoryId, categoryId]);
    const swapped = await edit(id, { version: 2, categoryIds: [categoryId!, otherCategoryId!] });
    expect(swapped.categories.map((category) => category.id)).toEqual([
      categoryId,
      otherCategoryId,
    ]);
  });

  test('rejects the removal of the axis while variants have its options', async () => {
    const { id } = await create({ variantAxisId: axis.id });
    const sizeId = await rows.size((await rows.item()).id);
    await rows.variant(id, sizeId, { option_id: axis.options[0]!.id });

    expect(await codes(edit(id, { version: 1, variantAxisId: null }))).toEqual([
      'variantAxisId in_use',
    ]);
    await updateRows(db, 'catalog_variant', { optionId: null }, { productId: id });
    expect(await edit(id, { version: 1, variantAxisId: null })).toMatchObject({
      variantAxis: null,
    });
  });

  test('rejects an archived category unless the product is already in it', async () => {
    const closed = (await createCategory({ db }, STAFF, { name: 'Закрыто', parentId: null }, null))
      .id;
    const [inside, outside] = [await create({ categoryIds: [closed] }), await create()];
    await updateRows(db, 'catalog_category', { archivedAt: databaseNow() }, { id: closed });

    expect(await codes(edit(outside.id, { version: 1, categoryIds: [closed] }))).toEqual([
      'categoryIds.0 not_found',
    ]);
    expect(await edit(inside.id, { version: 1, categoryIds: [closed, categoryId!] })).toMatchObject(
      { version: 2 },
    );
  });
});

describe.each(PRODUCT_STATUSES)('a product in the status %s', (status) => {
  test.each(Object.keys(PRODUCT_MOVES) as ProductMove[])(
    'follows the table of moves for %s',
    async (move) => {
      const { productId: id } = await rows.dish({
        ...place,
        prices: { [place.organizationId]: 100 },
      });
      await updateRows(db, 'catalog_product', { status }, { id });
      const { from, to } = PRODUCT_MOVES[move];
      const isAllowed = status === to || (from as readonly string[]).includes(status);

      const outcome = await moveProduct({ db }, STAFF, id, move).then(
        (state) => ({ status: state.status, version: state.version }),
        (error: unknown) => (error as { kind: string }).kind,
      );

      expect(outcome).toEqual(
        isAllowed ? { status: to, version: status === to ? 1 : 2 } : 'invalid-transition',
      );
      expect(await getProduct(db, id)).toMatchObject({ status: isAllowed ? to : status });
      expect(await auditCount(id)).toBe(isAllowed && status !== to ? 1 : 0);

      // Publication rules are checked first, in every status. Other status changes do not check
      // these rules.
      await updateRows(db, 'catalog_product', { status, mainImageId: null }, { id });
      const again = moveProduct({ db }, STAFF, id, move).then(
        () => 'moved',
        (error: unknown) => (error as { kind: string }).kind,
      );
      expect(await again).toBe(
        move === 'publish' ? 'publish-blocked' : isAllowed ? 'moved' : 'invalid-transition',
      );
    },
  );
});

describe.each([
  ['NO_MAIN_IMAGE', 'update catalog_product set main_image_id = null where id = $1'],
  ['NO_PLACEMENT', 'delete from catalog_product_category where product_id = $1'],
  ['NO_VARIANT', 'delete from catalog_variant where product_id = $1'],
  [
    'NO_LIVE_VARIANT',
    `update mirror_item set deleted_at = now() where id in (
       select item_id from catalog_variant v join mirror_item_size z on z.id = v.item_size_id where v.product_id = $1)`,
  ],
  ['NO_DEFAULT_VARIANT', 'update catalog_variant set is_default = false where product_id = $1'],
])('%s', (code, breaking) => {
  test.each(PRODUCT_STATUSES)('blocks the publication of a product that is %s', async (status) => {
    const { productId: id } = await rows.dish({
      ...place,
      prices: { [place.organizationId]: 100 },
    });
    await updateRows(db, 'catalog_product', { status }, { id });
    await db.query(breaking, [id]);

    await expect(moveProduct({ db }, STAFF, id, 'publish')).rejects.toMatchObject({
      kind: 'publish-blocked',
      details: { violations: [{ code }] },
    });
    expect(await getProduct(db, id)).toMatchObject({ status, version: 1 });
  });
});

describe('the list of products', () => {
  test('[CAT-63] finds products by name and sku of their dishes, also lost ones', async () => {
    const one = await rows.dish({ ...place, prices: { [place.organizationId]: 1 } });
    await updateRows(
      db,
      'mirror_item',
      { name: 'Рамен с ёршем', sku: '02222' },
      { id: one.itemId },
    );
    await updateRows(db, 'mirror_item_size', { sku: 'SZ-777' }, { id: one.sizeId });
    await updateRows(
      db,
      'catalog_variant',
      { lastSeenName: 'Лапша прежняя', lastSeenSku: 'OLD-5' },
      { id: one.variantId },
    );
    const find = async (q: string) => {
      const query = { q, sort: [], limit: 50, offset: 0 };
      return (await listProducts(db, query, PRODUCT_ISSUES)).items.map((item) => item.id);
    };

    for (const q of ['02222', 'sz-777', 'рамен с ерш', 'лапша прежняя', 'old-5'])
      expect({ q, found: await find(q) }).toEqual({ q, found: [one.productId] });
    expect(await find('02222 ничего')).toEqual([]);
  });

  test('[CAT-8] applies each filter, alone and combined', async () => {
    const section = (await createCategory({ db }, STAFF, { name: 'Фильтры', parentId: null }, null))
      .id;
    const dish = async () => {
      const made = await rows.dish({
        menuId: place.menuId,
        categoryId: section,
        prices: { [place.organizationId]: 1 },
      });
      return made;
    };
    const [plain, hidden, missing, deleted, incident, lost] = [
      await dish(),
      await dish(),
      await dish(),
      await dish(),
      await dish(),
      await dish(),
    ];
    const bare = await create({
      name: 'Ёлка без вариантов',
      categoryIds: [section],
      badgeIds: [badgeId!],
    });
    const organizationVisibility = [{ organizationId: place.organizationId, isVisible: false }];
    await edit(hidden.productId, { version: 1, organizationVisibility });
    await updateRows(db, 'catalog_variant', { bindingState: 'MISSING' }, { id: missing.variantId });
    await updateRows(db, 'mirror_item', { deletedAt: databaseNow() }, { id: deleted.itemId });
    await addRow(db, 'binding_incident', {
      type: 'NAME_CHANGED',
      severity: 'INFO',
      productId: incident.productId,
      variantId: incident.variantId,
      evaluation: 1,
      lastKnown: {} as never,
    });
    await updateRows(db, 'mirror_price', { lostAt: databaseNow() }, { itemSizeId: lost.sizeId });
    const find = async (filter: ProductFilter) => {
      const query = { ...filter, categoryId: section, limit: 50, offset: 0 };
      const found = await listProducts(
        db,
        { ...query, sort: [{ field: 'id', direction: 'asc' }] },
        PRODUCT_ISSUES,
      );
      expect(found.total).toBe(found.items.length);
      return found.items.map((item) => item.id);
    };
    const all = [plain, hidden, missing, deleted, incident, lost].map((entry) => entry.productId);
    const { organizationId } = place;
    const sold = all.filter((id) => id !== hidden.productId && id !== lost.productId);
    const ill = [missing, deleted, incident].map((entry) => entry.productId);

    expect(await find({})).toEqual([...all, bare.id]);
    expect(await find({ hasImage: false })).toEqual([bare.id]);
    expect(await find({ hasImage: true })).toEqual(all);
    expect(await find({ hasVariants: false })).toEqual([bare.id]);
    expect(await find({ hasVariants: true })).toEqual(all);
    expect(await find({ badgeId: badgeId! })).toEqual([bare.id]);
    expect(await find({ q: ' ЕЛКА ' })).toEqual([bare.id]);
    expect(await find({ organizationId })).toEqual(sold);
    expect(await find({ erpIssue: true })).toEqual(ill);
    expect(await find({ erpIssue: false, organizationId, status: 'PUBLISHED' })).toEqual([
      plain.productId,
    ]);
    expect(
      await find({ hasVariants: false, badgeId: badgeId!, status: 'DRAFT', q: 'ёлка' }),
    ).toEqual([bare.id]);

    await edit(hidden.productId, { version: 2, isVisible: false, organizationVisibility: null });
    expect(await find({ organizationId })).toEqual(sold);
    await edit(hidden.productId, {
      version: 3,
      organizationVisibility: [{ organizationId, isVisible: true }],
    });
    expect(await find({ organizationId })).toEqual(
      [...sold, hidden.productId].toSorted((a, b) => a - b),
    );
    await updateRows(
      db,
      'mirror_external_menu',
      { withdrawnAt: databaseNow() },
      { id: place.menuId },
    );
    expect(await find({ organizationId })).toEqual([]);
    await updateRows(db, 'mirror_external_menu', { withdrawnAt: null }, { id: place.menuId });
    await updateRows(db, 'external_menu_setting', { organizationIds: [organizationId + 1] });
    expect(await find({ organizationId })).toEqual([]);
    await updateRows(db, 'external_menu_setting', { organizationIds: [organizationId] });
    expect(await find({ organizationId })).toHaveLength(sold.length + 1);
    await updateRows(db, 'external_menu_setting', { isEnabled: false });
    expect(await find({ organizationId })).toEqual([]);
  });
});
