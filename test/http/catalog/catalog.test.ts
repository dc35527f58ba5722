import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authRoutes } from '../../../api/admin/access/auth.ts';
import { erpItemRoutes } from '../../../api/admin/binding/erp-items.ts';
import { categoryRoutes } from '../../../api/admin/catalog/categories.ts';
import { productRoutes } from '../../../api/admin/catalog/products.ts';
import { variantRoutes } from '../../../api/admin/catalog/variants.ts';
import { variantAxisRoutes } from '../../../api/admin/catalog/variant-axes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { buildDish, buildMedia, buildMirror } from '../../support/catalog-fixtures.ts';
import { addRow, databaseNow, updateRows } from '../../support/rows.ts';

const routes = [
  ...authRoutes,
  ...categoryRoutes,
  ...variantAxisRoutes,
  ...productRoutes,
  ...variantRoutes,
  ...erpItemRoutes,
];

type Item = {
  itemId: string;
  name: string;
  triage: string;
  boundProduct: { id: number; status: string } | null;
  sizes: { erpItemSizeId: number; name: string | null; priceMin: number | null }[];
};

let api: TestApi;
let admin: AdminClient;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let categoryId: number;

beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  mirror = await buildMirror(api.deps.db, { organizations: 2 });
  categoryId = (await admin.post<{ id: number }>('/categories', { name: 'Супы' })).id;
});
afterAll(() => api.stop());

async function problem(response: Response): Promise<Record<string, unknown> & { kind: string }> {
  const body = (await response.json()) as Record<string, unknown>;
  return { ...body, kind: String(body['type']).split('/').at(-1)! };
}

const single = (name: string, erpItemSizeId: number) => ({
  name,
  categoryIds: [categoryId],
  variants: [{ erpItemSizeId }],
});

describe('the creation of a product from a dish', () => {
  test('works over HTTP in every step, each with its status and fields', async () => {
    await buildDish(api.deps.db, mirror, {
      name: 'Пицца Пепперони',
      sizes: ['25', '30'],
      price: 39_900,
    });
    const found = await admin.get<{ items: Item[]; total: number }>(
      '/erp/items?q=пепперони&bound=false&triage=NEW',
    );
    expect(found).toMatchObject({ page: 1, size: 50, total: 1 });
    const item = found.items[0]!;
    expect(item.sizes.map((size) => size.priceMin)).toEqual([399, 798]);
    const raw = await (await admin.raw('GET', `/erp/items/${item.itemId}`)).text();
    expect(raw).toContain('"priceMin":399.00');

    const options = item.sizes.map((size) => ({ code: `CM${size.name}`, name: `${size.name} см` }));
    await admin.post('/variant-axes', { code: 'SIZE', name: 'Размер', options });
    const created = await admin.raw('POST', '/erp/items/create-product', {
      name: 'Пепперони',
      variantAxisCode: 'SIZE',
      categoryIds: [categoryId],
      variants: item.sizes.map((size) => ({
        erpItemSizeId: size.erpItemSizeId,
        variantOptionCode: `CM${size.name}`,
        isDefault: size.name === '30',
      })),
    });
    expect(created.status).toBe(201);
    const product = (await created.json()) as { id: number };
    expect(product).toEqual({ id: product.id, slug: 'pepperoni', status: 'DRAFT' });

    const blocked = await admin.raw('POST', `/products/${product.id}/publish`);
    expect(blocked.status).toBe(422);
    expect(await problem(blocked)).toMatchObject({
      kind: 'publish-blocked',
      violations: [{ code: 'NO_MAIN_IMAGE' }],
    });

    const mainImageId = await buildMedia(api.deps.db);
    const edited = await admin.patch(`/products/${product.id}`, {
      version: 1,
      mainImageId,
      subtitle: 'Острая',
    });
    expect(edited).toMatchObject({
      version: 2,
      subtitle: 'Острая',
      images: { main: { id: mainImageId } },
      variants: [
        { option: { code: 'CM25' }, isDefault: false, lastSeenPrice: 399 },
        { option: { code: 'CM30' }, isDefault: true, lastSeenPrice: 798 },
      ],
    });
    const stale = await admin.raw('PATCH', `/products/${product.id}`, {
      version: 1,
      subtitle: 'Мягкая',
    });
    expect(stale.status).toBe(409);
    expect(await problem(stale)).toMatchObject({ kind: 'version-conflict', currentVersion: 2 });

    expect(await admin.post(`/products/${product.id}/publish`)).toMatchObject({
      status: 'PUBLISHED',
      version: 3,
    });
    expect(await admin.get('/products?status=PUBLISHED&sort=updatedAt,desc')).toMatchObject({
      total: 1,
      items: [
        {
          id: product.id,
          name: 'Пепперони',
          mainImage: { id: mainImageId },
          categoryIds: [categoryId],
        },
      ],
    });
    expect(await admin.get(`/erp/items/${item.itemId}`)).toMatchObject({
      triage: 'LINKED',
      boundProduct: { id: product.id, status: 'PUBLISHED' },
    });
    expect(
      await admin.post('/products/bulk', { productIds: [product.id], action: 'ARCHIVE' }),
    ).toEqual({
      succeeded: [product.id],
      failed: [],
    });
  });
});

describe('the operation create-product', () => {
  test('creates one product for concurrent requests about one dish, and answers 409 to the others', async () => {
    const dish = await buildDish(api.deps.db, mirror);
    const answers = await Promise.all(
      ['Первый', 'Второй'].map((name) =>
        admin.raw('POST', '/erp/items/create-product', single(name, dish.sizeIds[0]!)),
      ),
    );
    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual(['201', '409']);
    const winner = (await answers.find((answer) => answer.status === 201)!.json()) as {
      id: number;
    };
    expect(await problem(answers.find((answer) => answer.status === 409)!)).toMatchObject({
      kind: 'item-already-bound',
      code: 'ITEM_ALREADY_BOUND',
      boundProduct: { id: winner.id, name: expect.stringMatching(/^(Первый|Второй)$/) },
    });
  });

  test('returns the first product for a repeated Idempotency-Key', async () => {
    const dish = await buildDish(api.deps.db, mirror);
    const send = () =>
      admin.post<{ id: number }>(
        '/erp/items/create-product',
        single('Один раз', dish.sizeIds[0]!),
        {
          'idempotency-key': 'create-once',
        },
      );
    expect(await send()).toEqual(await send());
  });

  test('reports schema errors and invalid references by field', async () => {
    const wrong = await admin.raw('POST', '/erp/items/create-product', {
      name: '',
      categoryIds: ['1'],
      variants: [],
      colour: 'red',
    });
    expect(wrong.status).toBe(422);
    const { errors } = (await problem(wrong)) as unknown as {
      errors: { field: string; code: string }[];
    };
    expect(errors.map((error) => `${error.field} ${error.code}`).toSorted()).toEqual([
      'categoryIds.0 type',
      'colour unknown_field',
      'name min_length',
      'variants min_items',
    ]);
    const unknown = await admin.raw(
      'POST',
      '/erp/items/create-product',
      single('Нет такого', 999_999),
    );
    expect(await problem(unknown)).toMatchObject({
      kind: 'validation',
      errors: [{ field: 'variants.0.erpItemSizeId', code: 'not_found' }],
    });
  });
});

describe('categories and axes', () => {
  test('appear as a nested tree and in a list with pages', async () => {
    const child = await admin.post<{ id: number; slug: string }>('/categories', {
      name: 'Холодные супы',
      parentId: categoryId,
    });
    expect(child.slug).toBe('kholodnye-supy');
    const tree = await admin.get<{
      items: { id: number; children: { id: number }[] }[];
      total: number;
    }>('/categories?tree=true');
    expect(
      tree.items.find((item) => item.id === categoryId)?.children.map((entry) => entry.id),
    ).toEqual([child.id]);
    expect(await admin.get('/categories?size=1')).toMatchObject({ page: 1, size: 1, total: 2 });
    expect((await admin.raw('GET', '/categories?size=201')).status).toBe(422);
    expect((await admin.raw('GET', '/categories/999999')).status).toBe(404);
  });

  test('[CAT-21] include an image and a slug if the category is created with them', async () => {
    const imageId = await buildMedia(api.deps.db);
    const created = await admin.post<{ id: number }>('/categories', {
      name: 'Роллы',
      slug: 'sushi',
      imageId,
    });
    expect(created).toMatchObject({ name: 'Роллы', slug: 'sushi', imageId });

    for (const [body, status] of [
      [{ name: 'Другие', slug: 'sushi' }, 409],
      [{ name: 'Другие', slug: 'Не адрес' }, 422],
      [{ name: 'Другие', imageId: 999_999 }, 422],
      [{ name: 'Другие', imageId: null }, 201],
    ] as const)
      expect((await admin.raw('POST', '/categories', body)).status).toBe(status);
    // If the slug of a name is in use, the category gets another slug.
    expect(await admin.post('/categories', { name: 'Sushi' })).toMatchObject({
      slug: 'sushi-2',
      imageId: null,
    });
  });

  test('reject a second axis with the same code', async () => {
    const axis = { code: 'TASTE', name: 'Вкус', options: [{ code: 'SWEET', name: 'Сладкий' }] };
    expect(await admin.post('/variant-axes', axis)).toMatchObject({ uiType: 'SEGMENTED' });
    const again = await admin.raw('POST', '/variant-axes', axis);
    expect(again.status).toBe(409);
    expect(await problem(again)).toMatchObject({
      kind: 'duplicate',
      errors: [{ field: 'code', code: 'duplicate' }],
    });
  });
});

test('an action on many products needs its own permission', async () => {
  await addRow(api.deps.db, 'access_role', {
    code: 'EDITOR',
    name: 'Editor',
    permissions: ['catalog.write'],
  });
  const { email, password } = await api.user('EDITOR');
  const editor = await adminClient(api.url, email, password);
  const bulk = (action: string, payload?: object) =>
    editor.raw('POST', '/products/bulk', { productIds: [999_999], action, payload });

  expect((await bulk('SET_BADGES', { badgeIds: [] })).status).toBe(200);
  const refused = await bulk('PUBLISH');
  expect(refused.status).toBe(403);
  expect(await problem(refused)).toMatchObject({
    kind: 'forbidden',
    permission: 'catalog.publish',
  });
});

test('a viewer reads and does not write', async () => {
  const viewer = await api.user('VIEWER');
  const client = await adminClient(api.url, viewer.email, viewer.password);
  expect((await client.raw('GET', '/products')).status).toBe(200);
  expect((await client.raw('POST', '/categories', { name: 'Чужая' })).status).toBe(403);
  expect(
    (await client.raw('POST', '/products/bulk', { productIds: [1], action: 'PUBLISH' })).status,
  ).toBe(403);
});

describe('a product that cannot be published yet', () => {
  test('[CAT-62] lists all violations of the rules of publication without publishing', async () => {
    const { id } = await admin.post<{ id: number }>('/products', {
      name: 'Черновик',
      categoryIds: [categoryId],
    });
    const check = () => admin.get(`/products/${id}/publish-check`);

    expect(await check()).toEqual({
      id,
      status: 'DRAFT',
      canPublish: false,
      violations: [
        { code: 'NO_MAIN_IMAGE', message: expect.any(String) },
        { code: 'NO_VARIANT', message: expect.any(String) },
      ],
    });
    const dish = await buildDish(api.deps.db, mirror);
    await admin.post(`/products/${id}/variants`, {
      erpItemId: dish.erpId,
      erpItemSizeId: dish.sizeIds[0],
    });
    const { version } = await admin.get<{ version: number }>(`/products/${id}`);
    await admin.patch(`/products/${id}`, { version, mainImageId: await buildMedia(api.deps.db) });
    expect(await check()).toMatchObject({ status: 'DRAFT', canPublish: true, violations: [] });
    await admin.post(`/products/${id}/archive`);
    expect(await check()).toMatchObject({ status: 'ARCHIVED', canPublish: false, violations: [] });
    expect((await admin.raw('GET', '/products/999999/publish-check')).status).toBe(404);
  });

  test('[CAT-61] shows the dish and the current prices of the ERP in its variants', async () => {
    const dish = await buildDish(api.deps.db, mirror, {
      name: 'Лагман',
      sku: 'LG',
      sizes: ['M', 'L'],
      price: 30_000,
    });
    const { id } = await admin.post<{ id: number }>(
      '/erp/items/create-product',
      single('Лагман', dish.sizeIds[1]!),
    );
    const [, other] = mirror.organizationIds;
    await updateRows(
      api.deps.db,
      'mirror_price',
      { priceKopecks: 65_000 },
      { itemSizeId: dish.sizeIds[1], organizationId: other },
    );
    await updateRows(api.deps.db, 'mirror_item', { name: 'Лагман новый' }, { id: dish.itemId });
    const now = {
      erpName: 'Лагман новый',
      erpSku: 'LG-2',
      erpDeletedAt: null,
      priceMin: 600,
      priceMax: 650,
    };
    const read = async () => {
      const { variants } = await admin.get<{ variants: object[] }>(`/products/${id}`);
      const { items } = await admin.get<{ items: object[] }>(`/products/${id}/variants`);
      return [variants[0], items[0]];
    };

    expect(await read()).toMatchObject([now, now]);
    await updateRows(
      api.deps.db,
      'mirror_price',
      { lostAt: databaseNow() },
      { itemSizeId: dish.sizeIds[1] },
    );
    await updateRows(
      api.deps.db,
      'mirror_item_size',
      { deletedAt: databaseNow() },
      { id: dish.sizeIds[1] },
    );
    const gone = {
      erpDeletedAt: expect.any(String),
      priceMin: null,
      priceMax: null,
      lastSeenPrice: 600,
    };
    expect(await read()).toMatchObject([gone, gone]);
  });
});
