import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import {
  buildDish,
  buildMedia,
  buildMirror,
  type MirrorDish,
} from '../../support/catalog-fixtures.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { addRow, countRows, databaseNow, selectRows, updateRows } from '../../support/rows.ts';
import type { AuditEntity } from '../../../modules/access/schemas/audit.ts';

type Variant = {
  id: number;
  erpItemId: string;
  erpItemSizeId: number;
  option: { id: number; code: string } | null;
  isDefault: boolean;
  position: number;
  lastSeenPrice: number | null;
  version: number;
};
type Axis = { id: number; code: string; options: { id: number; code: string }[] };

let api: TestApi;
let admin: AdminClient;
let mirror: Awaited<ReturnType<typeof buildMirror>>;
let categoryId: number;
let axis: Axis;
let otherAxis: Axis;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  mirror = await buildMirror(api.deps.db, { organizations: 2 });
  categoryId = (await admin.post<{ id: number }>('/categories', { name: 'Пиццы' })).id;
  const anAxis = (code: string, codes: string[]) =>
    admin.post<Axis>('/variant-axes', {
      code,
      name: code,
      uiType: 'SEGMENTED',
      options: codes.map((text) => ({ code: text, name: text })),
    });
  axis = await anAxis('DIAMETER', ['25', '30', '35']);
  otherAxis = await anAxis('VOLUME', ['500', '1000']);
});
afterAll(() => api.stop());

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  api.deps.db.query<T>(sql, params);
const option = (code: string) => axis.options.find((entry) => entry.code === code)!.id;
const aPizza = (name = 'Пепперони') =>
  buildDish(api.deps.db, mirror, { name, sizes: ['25', '30', '35'] });

async function aProduct(dish: MirrorDish, optionCode: string | null = '25'): Promise<number> {
  const { id } = await admin.post<{ id: number }>('/erp/items/create-product', {
    name: `Пицца ${randomUUID()}`,
    variantAxisCode: optionCode === null ? null : 'DIAMETER',
    mainImageId: await buildMedia(api.deps.db),
    categoryIds: [categoryId],
    variants: [{ erpItemSizeId: dish.sizeIds[0], variantOptionCode: optionCode }],
  });
  return id;
}
const buildBody = (dish: MirrorDish, at: number, optionCode: string | null, isDefault = false) => ({
  erpItemId: dish.erpId,
  erpItemSizeId: dish.sizeIds[at],
  variantOptionId: optionCode === null ? null : option(optionCode),
  isDefault,
});
const add = (
  productId: number,
  dish: MirrorDish,
  at: number,
  optionCode: string | null,
  isDefault = false,
) =>
  admin.post<Variant>(
    `/products/${productId}/variants`,
    buildBody(dish, at, optionCode, isDefault),
  );
const listed = async (productId: number) =>
  (await admin.get<{ items: Variant[] }>(`/products/${productId}/variants`)).items;
const version = async (productId: number) =>
  (await admin.get<{ version: number }>(`/products/${productId}`)).version;
const readEntries = (entityId: number, entityType: AuditEntity = 'variant') =>
  selectRows(
    api.deps.db,
    'audit_entry',
    ['action', 'before', 'after'],
    { entityType, entityId: String(entityId) },
    { orderBy: 'id' },
  );
const readErrors = async (response: Response) =>
  ((await response.json()) as { errors: { field: string; code: string }[] }).errors.map(
    ({ field, code }) => `${field} ${code}`,
  );

describe('GET and POST /products/{id}/variants', () => {
  test('adds sizes as last variants, moves the default to a new one, and lists them in pages', async () => {
    const dish = await aPizza();
    const productId = await aProduct(dish);
    const before = await version(productId);

    const second = await add(productId, dish, 1, '30', true);
    const third = await add(productId, dish, 2, '35');

    expect(second).toMatchObject({
      erpItemId: dish.erpId,
      option: { code: '30' },
      isDefault: true,
      lastSeenPrice: 200,
    });
    expect(
      (await listed(productId)).map(({ option: of, isDefault, position }) => [
        of?.code,
        isDefault,
        position,
      ]),
    ).toEqual([
      ['25', false, 0],
      ['30', true, 1],
      ['35', false, 2],
    ]);
    const page = await admin.get<{ items: Variant[]; page: number; size: number; total: number }>(
      `/products/${productId}/variants?page=2&size=2`,
    );
    expect(page).toEqual({ items: [third], page: 2, size: 2, total: 3 });
    expect(await version(productId)).toBe(before + 2);
    expect(await readEntries(second.id)).toMatchObject([
      {
        action: 'create',
        before: null,
        after: { productId, erpItemSizeId: dish.sizeIds[1], isDefault: true },
      },
    ]);
    expect((await admin.raw('GET', '/products/999999/variants')).status).toBe(404);
  });

  test('makes the first variant of a product its default, which may define its axis', async () => {
    const dish = await aPizza();
    const productId = await aProduct(dish);
    const [only] = await listed(productId);
    await admin.raw('DELETE', `/variants/${only!.id}`);
    await updateRows(api.deps.db, 'catalog_product', { variantAxisId: null }, { id: productId });

    expect(await add(productId, dish, 1, '30')).toMatchObject({ isDefault: true, position: 0 });
    expect(await admin.get(`/products/${productId}`)).toMatchObject({
      variantAxis: { code: 'DIAMETER' },
    });
  });

  test('reports every invalid field', async () => {
    const dish = await aPizza();
    const gone = await aPizza('Гавайская');
    const productId = await aProduct(dish);
    await updateRows(api.deps.db, 'mirror_item', { deletedAt: databaseNow() }, { id: gone.itemId });
    const modifier = await addRow(api.deps.db, 'mirror_item', {
      role: 'MODIFIER',
      type: null,
      name: 'Сыр',
    });
    const { id: modifierSizeId } = await addRow(api.deps.db, 'mirror_item_size', {
      itemId: modifier.id,
    });
    const refused = (body: object) => admin.raw('POST', `/products/${productId}/variants`, body);
    const valid = buildBody(dish, 1, '30');
    const foreign = otherAxis.options[0]!.id;

    expect(await readErrors(await refused({ ...valid, erpItemId: gone.erpId }))).toEqual([
      'erpItemSizeId invalid',
    ]);
    expect(
      await readErrors(
        await refused({ ...valid, erpItemId: randomUUID(), variantOptionId: foreign }),
      ),
    ).toEqual(['erpItemId not_found', 'variantOptionId not_found']);
    expect(await readErrors(await refused({ ...valid, erpItemSizeId: 999_999 }))).toEqual([
      'erpItemSizeId not_found',
    ]);
    expect(await readErrors(await refused(buildBody(gone, 0, '30')))).toEqual([
      'erpItemSizeId deleted',
    ]);
    expect(
      await readErrors(
        await refused({ ...valid, erpItemId: modifier.erpId, erpItemSizeId: modifierSizeId }),
      ),
    ).toEqual(['erpItemSizeId not_a_dish']);
    expect(await readErrors(await refused(buildBody(dish, 0, '25')))).toEqual([
      'erpItemSizeId duplicate',
      'variantOptionId duplicate',
    ]);
    expect(await readErrors(await refused({ ...valid, variantOptionId: null }))).toEqual([
      'variantOptionId required',
    ]);
    expect(await readErrors(await refused({ erpItemId: 'x', erpItemSizeId: 2 ** 60 }))).toEqual(
      expect.arrayContaining(['erpItemId format', 'erpItemSizeId max']),
    );
    expect(await listed(productId)).toHaveLength(1);
  });

  test.each([
    ['erp_item_id', 'FREE_SOY', true],
    ['variant_id', 'CUTLERY', true],
    ['variant_id', 'LEAVE_AT_DOOR', true],
    ['variant_id', 'PAID_SOY', false],
  ])(
    '[CAT-22] shows for a variant whose item %s has the role %s if it is kept off the menu: %s',
    async (named, role, expected) => {
      const dish = await aPizza();
      const productId = await aProduct(dish);
      const [{ id: variantId } = { id: 0 }] = await listed(productId);
      const marks = async () => {
        const product = await admin.get<{ variants: { isServiceItem: boolean }[] }>(
          `/products/${productId}`,
        );
        const [first] = (await listed(productId)) as unknown as { isServiceItem: boolean }[];
        return [product.variants[0], first].map((entry) => entry?.isServiceItem);
      };
      const before = await marks();
      await query(`insert into service_role (role, ${named}) values ($1, $2)`, [
        role,
        named === 'variant_id' ? variantId : dish.erpId,
      ]);
      const after = await marks();
      await query(`delete from service_role`);

      expect(before).toEqual([false, false]);
      expect(after).toEqual([expected, expected]);
    },
  );

  test.each([
    [
      'a gift',
      'item_of_reward',
      `insert into reward (code, name, erp_item_id) values ('tart', 'Тарт', $1)`,
      'reward',
    ],
    [
      'the delivery fee',
      'item_of_delivery_fee',
      `insert into service_role (role, erp_item_id) values ('DELIVERY_FEE', $1)`,
      'service_role',
    ],
  ])(
    '[CMP-11] binds %s to no product, and publishes no product with it',
    async (_, code, statement, table) => {
      const [sold, unsold] = [await aPizza(), await aPizza('Тарт')];
      const [productId, former] = [await aProduct(sold), await aProduct(unsold)];
      const other = await aPizza('Другая');
      const free = await aPizza('Ничья');
      await query(statement, [other.erpId]);
      const bind = (dish: MirrorDish) =>
        admin.raw('POST', `/products/${productId}/variants`, buildBody(dish, 1, '30'));
      const [{ id: variantId } = { id: 0 }] = await listed(productId);

      expect(await readErrors(await bind(other))).toEqual([`erpItemSizeId ${code}`]);
      expect(
        await readErrors(
          await admin.raw('POST', `/variants/${variantId}/rebind`, {
            erpItemSizeId: other.sizeIds[0],
          }),
        ),
      ).toEqual([`erpItemSizeId ${code}`]);
      const variants = [free, other].map(({ sizeIds }, at) => ({
        erpItemSizeId: sizeIds[0],
        variantOptionCode: ['25', '30'][at],
      }));
      const body = {
        name: 'Новая',
        variantAxisCode: 'DIAMETER',
        categoryIds: [categoryId],
        variants,
      };
      expect(await readErrors(await admin.raw('POST', '/erp/items/create-product', body))).toEqual([
        `variants.1.erpItemSizeId ${code}`,
      ]);
      await query(`update ${table} set erp_item_id = $1 where erp_item_id = $2`, [
        unsold.erpId,
        other.erpId,
      ]);
      expect(
        await (await admin.raw('POST', `/products/${former}/publish`, {})).json(),
      ).toMatchObject({
        violations: [{ code: 'UNSOLD_VARIANT' }],
      });
      await query(`delete from ${table}`);
      expect((await admin.raw('POST', `/products/${former}/publish`, {})).status).toBe(200);
      expect((await bind(other)).status).toBe(201);
    },
  );

  test('[BND-1] rejects a dish of another product with that product, and a key creates one variant', async () => {
    const dish = await aPizza();
    const productId = await aProduct(dish);
    const stranger = await aProduct(await aPizza('Четыре сыра'));
    const key = { 'idempotency-key': randomUUID() };
    const first = await admin.post<Variant>(
      `/products/${productId}/variants`,
      buildBody(dish, 1, '30'),
      key,
    );
    const again = await admin.post<Variant>(
      `/products/${productId}/variants`,
      buildBody(dish, 1, '30'),
      key,
    );
    const refused = await admin.raw(
      'POST',
      `/products/${stranger}/variants`,
      buildBody(dish, 2, '30'),
    );

    expect(again).toEqual(first);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      type: expect.stringMatching(/\/item-already-bound$/),
      code: 'ITEM_ALREADY_BOUND',
      boundProduct: { id: productId, name: expect.stringMatching(/^Пицца /) },
    });
  });

  test('changes the menu for a published product, but not for a draft or an archived one', async () => {
    const dish = await aPizza();
    const productId = await aProduct(dish);
    const events = async () => await countRows(api.deps.db, 'outbox', { event: 'CatalogChanged' });
    const start = await events();
    await add(productId, dish, 1, '30');
    expect(await events()).toBe(start);

    await admin.post(`/products/${productId}/publish`);
    const published = await events();
    const { id } = await add(productId, dish, 2, '35');
    const added = await events();
    await admin.raw('DELETE', `/variants/${id}`);
    expect([added - published, (await events()) - added]).toEqual([1, 1]);

    await admin.post(`/products/${productId}/archive`);
    const [variant] = await listed(productId);
    const free = await aPizza('Свободная');
    const attempts = await Promise.all([
      admin.raw('POST', `/variants/${variant!.id}/rebind`, { erpItemSizeId: free.sizeIds[0] }),
      admin.raw('POST', `/products/${productId}/variants`, buildBody(dish, 2, '35')),
      admin.raw('PATCH', `/variants/${variant!.id}`, {
        version: variant!.version,
        isDefault: true,
      }),
      admin.raw('PUT', `/products/${productId}/variants/order`, {
        version: await version(productId),
        variantIds: [1],
      }),
    ]);
    expect(attempts.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    expect(await admin.get(`/erp/items/${free.erpId}`)).toMatchObject({
      triage: 'NEW',
      boundProduct: null,
    });
  });
});

describe('PATCH /variants/{variant_id}', () => {
  test('changes the option and the default by version, and writes nothing if nothing changes', async () => {
    const dish = await aPizza();
    const productId = await aProduct(dish);
    const second = await add(productId, dish, 1, '30');
    const patch = (body: object) => admin.raw('PATCH', `/variants/${second.id}`, body);

    const same = (await (
      await patch({ version: 1, variantOptionId: option('30') })
    ).json()) as Variant;
    const changed = (await (
      await patch({ version: 1, variantOptionId: option('35'), isDefault: true })
    ).json()) as Variant;
    const stale = await patch({ version: 1, isDefault: true });

    expect(same).toMatchObject({ version: 1 });
    expect(changed).toMatchObject({ version: 2, option: { code: '35' }, isDefault: true });
    expect([stale.status, await stale.json()]).toMatchObject([409, { currentVersion: 2 }]);
    expect(
      (await listed(productId)).map((variant) => [variant.isDefault, variant.version]),
    ).toEqual([
      [false, 2],
      [true, 2],
    ]);
    expect((await readEntries(second.id))[1]).toMatchObject({
      action: 'update',
      before: { variantOptionId: option('30') },
      after: { variantOptionId: option('35'), defaultVariantId: second.id },
    });
    expect(await readErrors(await patch({ version: 2, isDefault: false }))).toEqual([
      'isDefault invalid',
    ]);
    expect(await readErrors(await patch({ version: 2, variantOptionId: null }))).toEqual([
      'variantOptionId required',
    ]);
    expect(await readErrors(await patch({ version: 2, variantOptionId: option('25') }))).toEqual([
      'variantOptionId duplicate',
    ]);
    expect(await readErrors(await patch({ version: 2, erpItemSizeId: 1 }))).toEqual([
      'erpItemSizeId unknown_field',
    ]);
    expect((await admin.raw('PATCH', '/variants/999999', { version: 1 })).status).toBe(404);
  });

  test('[CAT-18] sets the quantities for orders, which guests do not see', async () => {
    const productId = await aProduct(await aPizza());
    await admin.post(`/products/${productId}/publish`);
    const events = async () => await countRows(api.deps.db, 'outbox', { event: 'CatalogChanged' });
    const [variant, announced] = [(await listed(productId))[0]!, await events()];
    const patch = (body: object) => admin.patch<Variant>(`/variants/${variant.id}`, body);
    const changed = await patch({
      version: 1,
      personCount: 2,
      personSplittingEnabled: true,
      toolCount: 2,
    });
    const same = await patch({ version: 2, personCount: 2 });

    expect(variant).toMatchObject({
      personCount: 0,
      personSplittingEnabled: false,
      toolCount: 0,
      sugarCount: 0,
    });
    expect(changed).toMatchObject({
      version: 2,
      personCount: 2,
      personSplittingEnabled: true,
      toolCount: 2,
      sugarCount: 0,
    });
    expect(same.version).toBe(2);
    expect(await events()).toBe(announced);
    expect((await readEntries(variant.id)).at(-1)).toMatchObject({
      action: 'update',
      before: { personCount: 0, personSplittingEnabled: false, toolCount: 0 },
      after: { personCount: 2, personSplittingEnabled: true, toolCount: 2 },
    });
    expect(
      await readErrors(
        await admin.raw('PATCH', `/variants/${variant.id}`, { version: 2, toolCount: 101 }),
      ),
    ).toEqual(['toolCount max']);
  });
});

describe('DELETE /variants/{variant_id}', () => {
  test('[BND-4] moves the default, keeps the history, and unbinds the dish with its last variant', async () => {
    const dish = await aPizza();
    const productId = await aProduct(dish);
    await add(productId, dish, 1, '30');
    const [first, second] = await listed(productId);
    const claims = () =>
      selectRows(api.deps.db, 'catalog_item_binding', '*', { itemId: dish.itemId });

    expect((await admin.raw('DELETE', `/variants/${first!.id}`)).status).toBe(204);
    expect(await listed(productId)).toMatchObject([
      { id: second!.id, isDefault: true, version: 2 },
    ]);
    expect(await claims()).toHaveLength(1);
    expect((await admin.raw('DELETE', `/variants/${second!.id}`)).status).toBe(204);
    expect(await claims()).toHaveLength(0);
    expect(await admin.get(`/erp/items/${dish.erpId}`)).toMatchObject({
      triage: 'NEW',
      boundProduct: null,
    });
    expect(await countRows(api.deps.db, 'binding_history', { variantId: first!.id })).toBe(1);
    expect(await readEntries(first!.id)).toMatchObject([
      {
        action: 'delete',
        before: { productId, isDefault: true },
        after: { defaultVariantId: second!.id },
      },
    ]);
    expect((await admin.raw('DELETE', `/variants/${first!.id}`)).status).toBe(404);
  });

  test('[BND-4] keeps a live variant of a published product, but not of an archived one', async () => {
    const dish = await aPizza();
    const productId = await aProduct(dish);
    const other = await aPizza('Маргарита');
    const dying = await add(productId, other, 0, '35');
    await admin.post(`/products/${productId}/publish`);
    await updateRows(
      api.deps.db,
      'mirror_item',
      { deletedAt: databaseNow() },
      { id: other.itemId },
    );
    const [live] = await listed(productId);

    const refused = await admin.raw('DELETE', `/variants/${live!.id}`);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { violations: [{ code: 'NO_LIVE_VARIANT' }] },
    ]);
    expect((await admin.raw('DELETE', `/variants/${dying.id}`)).status).toBe(204);
    const last = await admin.raw('DELETE', `/variants/${live!.id}`);
    expect([last.status, await last.json()]).toMatchObject([
      409,
      { violations: [{ code: 'NO_VARIANT' }] },
    ]);
    expect(await listed(productId)).toHaveLength(1);

    await admin.post(`/products/${productId}/archive`);
    expect((await admin.raw('DELETE', `/variants/${live!.id}`)).status).toBe(204);
    expect(await aProduct(dish)).not.toBe(productId);
  });
});

test('[BND-5] PUT /products/{id}/variants/order names every variant once, by the version of the product', async () => {
  const dish = await aPizza();
  const productId = await aProduct(dish);
  await add(productId, dish, 1, '30');
  await add(productId, dish, 2, '35');
  const ids = (await listed(productId)).map((variant) => variant.id);
  const seen = await version(productId);
  const put = (body: object) => admin.raw('PUT', `/products/${productId}/variants/order`, body);
  const turned = ids.toReversed();

  const unchanged = await put({ version: seen, variantIds: ids });
  const ordered = await put({ version: seen, variantIds: turned });
  const stale = await put({ version: seen, variantIds: ids });

  expect(await unchanged.json()).toEqual({ variantIds: ids, version: seen });
  expect(await ordered.json()).toEqual({ variantIds: turned, version: seen + 1 });
  expect([stale.status, await stale.json()]).toMatchObject([409, { currentVersion: seen + 1 }]);
  expect((await listed(productId)).map((variant) => variant.id)).toEqual(turned);
  expect((await readEntries(productId, 'product')).at(-1)).toMatchObject({
    action: 'order-variants',
    after: { variantIds: turned },
  });
  expect(
    await readErrors(await put({ version: seen + 1, variantIds: [ids[0], ids[0], 999_999] })),
  ).toEqual([
    'variantIds.1 duplicate',
    'variantIds.2 not_found',
    'variantIds required',
    'variantIds required',
  ]);
});

describe('GET /erp/items/{item_id}/variant-suggestions', () => {
  type Named = { id: number | null; code: string; name: string };
  type Suggestions = {
    baseName: string;
    detectedAxis: Named | null;
    candidates: {
      itemId: string;
      itemSizeId: number;
      detectedOption: Named | null;
      confidence: number;
      bound: boolean;
    }[];
  };
  const suggestions = (dish: MirrorDish) =>
    admin.get<Suggestions>(`/erp/items/${dish.erpId}/variant-suggestions`);
  async function grouped(group: string, names: readonly string[]): Promise<MirrorDish[]> {
    const dishes = [];
    for (const name of names) dishes.push(await buildDish(api.deps.db, mirror, { name }));
    await updateRows(
      api.deps.db,
      'mirror_item',
      { productCategoryErpId: group },
      { id: dishes.map((dish) => dish.itemId) },
    );
    return dishes;
  }
  const toProduct = ({ baseName, detectedAxis, candidates }: Suggestions) => ({
    name: baseName,
    variantAxisCode: detectedAxis?.code,
    categoryIds: [categoryId],
    variants: candidates
      .filter((candidate) => !candidate.bound && candidate.detectedOption !== null)
      .map((candidate) => ({
        erpItemSizeId: candidate.itemSizeId,
        variantOptionCode: candidate.detectedOption!.code,
      })),
  });

  test('[BND-6] groups dishes by name in one menu group into the suggested product, until they are bound', async () => {
    const [large, , stranger] = await grouped('pizza', [
      'Дьябло 30 см',
      'Дьябло (25 см)',
      'Дьябло острая 25 см',
    ]);
    await grouped('drinks', ['Дьябло 35 см']);
    const found = await suggestions(large!);

    expect(found).toMatchObject({
      baseName: 'Дьябло',
      detectedAxis: { id: axis.id, code: 'DIAMETER' },
      candidates: [
        { detectedOption: { id: option('25'), code: '25' }, confidence: 0.95, bound: false },
        { itemId: large!.erpId, detectedOption: { code: '30' }, confidence: 1 },
      ],
    });
    expect(found.candidates.map((candidate) => candidate.itemId)).not.toContain(stranger!.erpId);
    const { id } = await admin.post<{ id: number }>('/erp/items/create-product', toProduct(found));
    expect((await listed(id)).map((variant) => variant.option?.code)).toEqual(['25', '30']);
    expect((await suggestions(large!)).candidates.map((candidate) => candidate.bound)).toEqual([
      true,
      true,
    ]);
  });

  test('proposes an axis that is used for the next product', async () => {
    const dish = await buildDish(api.deps.db, mirror, {
      name: 'Наггетсы',
      sizes: ['6 шт', '9 шт'],
    });
    const found = await suggestions(dish);
    expect(found).toMatchObject({
      detectedAxis: { id: null, code: 'PIECES' },
      candidates: [{ confidence: 0.9 }, {}],
    });
    await admin.post('/variant-axes', {
      code: found.detectedAxis!.code,
      name: found.detectedAxis!.name,
      uiType: 'SEGMENTED',
      options: found.candidates.map(({ detectedOption }) => ({
        code: detectedOption!.code,
        name: detectedOption!.name,
      })),
    });

    const again = await suggestions(dish);
    expect(
      again.candidates.map((candidate) => [
        candidate.detectedOption!.id === null,
        candidate.confidence,
      ]),
    ).toEqual([
      [false, 1],
      [false, 1],
    ]);
    expect(await admin.post('/erp/items/create-product', toProduct(again))).toMatchObject({
      status: 'DRAFT',
    });
  });

  test('compares dishes without a group with each other, and omits deleted ones', async () => {
    const [one, other] = [
      await buildDish(api.deps.db, mirror, { name: 'Морс 0,5 л' }),
      await buildDish(api.deps.db, mirror, { name: 'Морс 1 л' }),
    ];
    const place = { position: 0, synchronizedRun: 1 };
    const category = { externalMenuId: mirror.menuId, erpId: 'mors', name: 'Напитки', ...place };
    const { id: menuCategoryId } = await addRow(api.deps.db, 'mirror_menu_category', category);
    for (const { itemId } of [one, other])
      await addRow(api.deps.db, 'mirror_item_placement', { menuCategoryId, itemId, ...place });
    expect(
      (await suggestions(one)).candidates.map((candidate) => candidate.detectedOption?.code),
    ).toEqual(['500', '1000']);

    await updateRows(api.deps.db, 'mirror_item', { deletedAt: databaseNow() }, { id: one.itemId });
    expect((await suggestions(one)).candidates.map((candidate) => candidate.itemId)).toEqual([
      other.erpId,
    ]);
    expect((await admin.raw('GET', `/erp/items/${randomUUID()}/variant-suggestions`)).status).toBe(
      404,
    );
  });
});

test('GET /products/{id}/explain explains why guests of a restaurant do not see a variant', async () => {
  const dish = await aPizza();
  const productId = await aProduct(dish);
  const organizationId = mirror.organizationIds[0]!;
  const explained = await admin.get<{
    variants: { facts: { code: string; price: number | null }[] }[];
  }>(`/products/${productId}/explain?organization_id=${organizationId}`);

  expect(explained).toMatchObject({
    product: { id: productId, status: 'DRAFT' },
    organization: { id: organizationId },
    inMenu: false,
    snapshot: { revision: null, isBehind: true },
    facts: expect.arrayContaining([
      expect.objectContaining({ code: 'PUBLISHED', holds: false, value: 'DRAFT' }),
    ]),
    variants: [{ inMenu: false, available: false, price: null, reason: 'PUBLISHED', served: null }],
  });
  expect(explained.variants[0]!.facts.find((fact) => fact.code === 'PRICE')).toMatchObject({
    price: 100,
  });
  expect(await readErrors(await admin.raw('GET', `/products/${productId}/explain`))).toEqual([
    'organization_id required',
  ]);
  expect(
    (await admin.raw('GET', `/products/${productId}/explain?organization_id=999999`)).status,
  ).toBe(404);
});

test('[BND-19] GET /erp/items/{item_id} is a card with the prices of every organization and the modifiers', async () => {
  const rows = menuRows(api.deps.db);
  const dish = await buildDish(api.deps.db, mirror, {
    name: 'Бургер',
    sizes: ['S', 'L'],
    price: 20_000,
  });
  const [one, other] = mirror.organizationIds as [number, number];
  const cheese = await rows.modifier(mirror.menuId, { [one]: 3_000, [other]: 4_500 });
  const group = await rows.group(mirror.menuId, dish.sizeIds[1]!, {
    name: 'Добавки',
    min_quantity: 1,
  });
  await rows.link(group, cheese.itemId, { name: 'Сыр', default_quantity: 1 });
  await updateRows(
    api.deps.db,
    'mirror_price',
    { lostAt: databaseNow() },
    { itemSizeId: dish.sizeIds[0], organizationId: other },
  );
  const card = await admin.get<{
    prices: { erpItemSizeId: number; organizationId: number; lostAt: string | null }[];
  }>(`/erp/items/${dish.erpId}`);

  expect(card).toMatchObject({
    itemId: dish.erpId,
    deletedAt: null,
    modifierGroups: [
      {
        erpItemSizeId: dish.sizeIds[1],
        name: 'Добавки',
        min: 1,
        modifiers: [
          { erpItemId: cheese.erpId, name: 'Сыр', default: 1, priceMin: 30, priceMax: 45 },
        ],
      },
    ],
  });
  expect(card.prices.filter((price) => price.organizationId === one)).toMatchObject([
    { erpItemSizeId: dish.sizeIds[0], price: 200, lostAt: null },
    { erpItemSizeId: dish.sizeIds[1], price: 400, lostAt: null },
  ]);
  expect(card.prices.find((price) => price.lostAt !== null)).toMatchObject({
    erpItemSizeId: dish.sizeIds[0],
    organizationId: other,
  });
});
