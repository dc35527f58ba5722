import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import {
  addRow,
  databaseNow,
  deleteRows,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';
import type { AuditEntity } from '../../../modules/access/schemas/audit.ts';

let api: TestApi;
let admin: AdminClient;
let rows: MenuRows;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let dish: Awaited<ReturnType<MenuRows['dish']>>;
let sauces: Awaited<ReturnType<MenuRows['modifier']>>[];
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rows = menuRows(api.deps.db);
  place = await rows.restaurant();
  const prices = { [place.organizationId]: 10_000 };
  dish = await rows.dish({ ...place, prices });
  const groupId = await rows.group(place.menuId, dish.sizeId, { group_key: 'key#1' });
  sauces = [await rows.modifier(place.menuId, prices), await rows.modifier(place.menuId, prices)];
  for (const [position, { itemId }] of sauces.entries())
    await rows.link(groupId, itemId, { position });
});
afterAll(() => api.stop());

type Shown = {
  products: { badges: string[]; variantAxis: unknown; variants: { option: unknown }[] }[];
  modifierGroups: {
    name: string;
    collapsed: boolean;
    modifiers: { id: string; name: string; image: unknown }[];
  }[];
};
/** Returns the menu after the rebuild of the last edit. */
async function shown(): Promise<Shown> {
  const [request] = await api.deps.db.db
    .selectFrom('snapshot_request')
    .where('organizationId', '=', place.organizationId)
    .select((row) => row('dirtySeq', '>', row.ref('builtSeq')).as('isDirty'))
    .execute();
  expect(request).toEqual({ isDirty: true });
  await buildSnapshot(api.deps, place.organizationId);
  const row = await selectRow(api.deps.db, 'snapshot', ['payload'], {
    organizationId: place.organizationId,
  });
  return JSON.parse(row.payload.toString('utf8')) as Shown;
}
const audited = (entityType: AuditEntity) =>
  selectRows(api.deps.db, 'audit_entry', ['action'], { entityType }, { orderBy: 'id' });
describe('the badges of products', () => {
  test('can be created, assigned, changed and deleted, and guests see their codes', async () => {
    const badge = await admin.post<{ id: number }>('/badges', { code: 'HOT', name: ' Острое ' });
    const other = await admin.post<{ id: number }>('/badges', {
      code: 'NEW',
      name: 'Новинка',
      position: 5,
    });
    const productIds = [dish.productId, 999_999];
    const given = await admin.post('/products/bulk', {
      productIds,
      action: 'SET_BADGES',
      payload: { badgeIds: [other.id, badge.id] },
    });
    const before = (await shown()).products[0]?.badges;
    const changed = await admin.patch(`/badges/${badge.id}`, { version: 1, position: 9 });
    expect((await admin.raw('DELETE', `/badges/${other.id}`)).status).toBe(204);
    const after = (await shown()).products[0]?.badges;

    expect(badge).toMatchObject({
      code: 'HOT',
      name: 'Острое',
      position: 0,
      productCount: 0,
      version: 1,
    });
    expect(given).toEqual({
      succeeded: [dish.productId],
      failed: [{ id: 999_999, reason: 'NOT_FOUND' }],
    });
    expect(before).toEqual(['NEW', 'HOT']);
    expect(changed).toMatchObject({ position: 9, productCount: 1, version: 2 });
    expect(after).toEqual(['HOT']);
    expect(await admin.get('/badges')).toMatchObject({ total: 1, items: [{ code: 'HOT' }] });
    expect(await audited('badge')).toEqual(
      ['create', 'create', 'update', 'delete'].map((action) => ({ action })),
    );
  });

  test('[CAT-16] cannot have a used code or an outdated version, and must exist', async () => {
    const { id } = await admin.post<{ id: number }>('/badges', { code: 'TAKEN', name: 'x' });
    const bulk = { productIds: [dish.productId], action: 'SET_BADGES' };

    expect(
      await awaitRefusal(admin.raw('POST', '/badges', { code: 'TAKEN', name: 'x' })),
    ).toMatchObject({ status: 409 });
    expect(
      await awaitRefusal(admin.raw('PATCH', `/badges/${id}`, { version: 2, name: 'y' })),
    ).toMatchObject({
      status: 409,
      currentVersion: 1,
    });
    expect(await awaitRefusal(admin.raw('DELETE', '/badges/999999'))).toMatchObject({
      status: 404,
    });
    expect(await awaitRefusal(admin.raw('POST', '/products/bulk', bulk))).toMatchObject({
      status: 422,
    });
    expect(
      await awaitRefusal(
        admin.raw('POST', '/products/bulk', { ...bulk, payload: { badgeIds: [id, id, 999_999] } }),
      ),
    ).toMatchObject({
      status: 422,
      errors: [
        { field: 'payload.badgeIds.1', code: 'duplicate' },
        { field: 'payload.badgeIds.2', code: 'not_found' },
      ],
    });
  });
});

describe('axes and options', () => {
  test('appear changed to guests', async () => {
    const axis = await admin.post<{ id: number; options: { id: number }[] }>('/variant-axes', {
      code: 'SIZE',
      name: 'Размер',
      options: [{ code: 'S', name: 'Малая', shortName: 'М' }],
    });
    const [option] = axis.options;
    await updateRows(
      api.deps.db,
      'catalog_product',
      { variantAxisId: axis.id },
      { id: dish.productId },
    );
    await updateRows(
      api.deps.db,
      'catalog_variant',
      { optionId: option!.id },
      { id: dish.variantId },
    );
    await admin.patch(`/variant-axes/${axis.id}`, { version: 1, name: ' Объём ', uiType: 'LIST' });
    const first = (await shown()).products[0];
    const path = `/variant-axes/${axis.id}/options/${option?.id}`;
    const changed = await admin.patch(path, { version: 1, name: 'Полпорции', shortName: null });
    const second = (await shown()).products[0];

    expect(first?.variantAxis).toEqual({ code: 'SIZE', name: 'Объём', uiType: 'LIST' });
    expect(changed).toMatchObject({
      version: 2,
      options: [{ name: 'Полпорции', shortName: null, version: 2 }],
    });
    expect(second?.variants[0]?.option).toEqual({ code: 'S', name: 'Полпорции' });
    expect(await awaitRefusal(admin.raw('PATCH', path, { version: 1, name: 'x' }))).toMatchObject({
      status: 409,
      currentVersion: 2,
    });
    expect(await awaitRefusal(admin.raw('PATCH', path, { version: 2, name: ' ' }))).toMatchObject({
      status: 422,
    });
    expect(
      await awaitRefusal(
        admin.raw('PATCH', `/variant-axes/999999/options/${option?.id}`, { version: 2 }),
      ),
    ).toMatchObject({
      status: 404,
    });
    expect(await audited('variant-option')).toEqual([{ action: 'update' }]);
  });

  test('may include a new option for an axis in use, last or in a position, with a unique code', async () => {
    const { id } = await admin.post<{ id: number }>('/variant-axes', {
      code: 'WIDTH',
      name: ' Ширина ',
      options: [{ code: 'CM25', name: ' 25 см ', shortName: ' ' }],
    });
    const path = `/variant-axes/${id}/options`;
    const key = { 'Idempotency-Key': 'one-more-size' };
    const added = await admin.post(path, { code: 'CM30', name: ' 30 см ', shortName: '30' }, key);
    const again = await admin.post(path, { code: 'CM30', name: ' 30 см ', shortName: '30' }, key);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        admin.raw('POST', path, { code: 'CM20', name: '20 см', position: 0 }),
      ),
    );

    expect(added).toMatchObject({
      name: 'Ширина',
      options: [
        { code: 'CM25', name: '25 см', shortName: null, position: 0 },
        { code: 'CM30', name: '30 см', shortName: '30', position: 1, version: 1 },
      ],
    });
    expect(again).toEqual(added);
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409,
    ]);
    expect(await awaitRefusal(admin.raw('POST', path, { code: 'CM30', name: 'x' }))).toMatchObject({
      status: 409,
      type: '/problems/duplicate',
      errors: [{ field: 'code', code: 'duplicate' }],
    });
    expect(await awaitRefusal(admin.raw('POST', path, { code: 'CM40', name: ' ' }))).toMatchObject({
      status: 422,
      errors: [{ field: 'name', code: 'required' }],
    });
    expect(
      await awaitRefusal(
        admin.raw('POST', '/variant-axes/999999/options', { code: 'CM40', name: 'x' }),
      ),
    ).toMatchObject({
      status: 404,
    });
  });

  test.each([
    ['/badges', { code: 'INVISIBLE' }],
    ['/variant-axes', { code: 'INVISIBLE', options: [{ code: 'S', name: 'S' }] }],
    ['/products', {}],
  ])('reject invisible names of %s, and control characters in them', async (path, body) => {
    for (const [name, code] of [
      ['\u200b', 'required'],
      ['a\nb', 'invalid'],
      ['a\u200bb', 'invalid'],
    ])
      expect(await awaitRefusal(admin.raw('POST', path, { ...body, name }))).toMatchObject({
        status: 422,
        errors: [{ field: 'name', code }],
      });
  });

  test('require names, and a blank short name is empty, so that no menu is rejected', async () => {
    const blank = { code: 'BLANK', name: ' ', options: [{ code: 'S', name: '\t' }] };
    expect(await awaitRefusal(admin.raw('POST', '/variant-axes', blank))).toMatchObject({
      status: 422,
      errors: [
        { field: 'name', code: 'required' },
        { field: 'options.0.name', code: 'required' },
      ],
    });
    const axis = await admin.post<{
      id: number;
      options: { id: number; shortName: string | null }[];
    }>('/variant-axes', {
      code: 'VOLUME',
      name: 'Объём',
      options: [
        { code: 'S', name: 'Малый', shortName: '' },
        { code: 'M', name: 'Средний', shortName: ' ' },
      ],
    });
    const [option] = axis.options;
    await updateRows(
      api.deps.db,
      'catalog_product',
      { variantAxisId: axis.id },
      { id: dish.productId },
    );
    await updateRows(
      api.deps.db,
      'catalog_variant',
      { optionId: option!.id },
      { id: dish.variantId },
    );
    await admin.patch(`/variant-axes/${axis.id}`, { version: 1, uiType: 'LIST' });

    expect(axis.options.map((entry) => entry.shortName)).toEqual([null, null]);
    expect((await shown()).products[0]?.variants[0]?.option).toEqual({ code: 'S', name: 'Малый' });
  });
});

describe('the profiles of modifiers', () => {
  const GROUP = `/modifier-groups/${encodeURIComponent('key#1')}`;

  test('[CAT-17] appear changed for a group, in the order set by staff', async () => {
    const listed = await admin.get<{ items: object[] }>('/modifier-groups?q=добав');
    const changed = await admin.patch(GROUP, {
      version: 0,
      displayName: ' К блюду ',
      isCollapsed: true,
    });
    const order = sauces.map((sauce) => sauce.erpId).toReversed();
    const twice = await admin.raw('PUT', `${GROUP}/order`, {
      version: 1,
      order: [order[0], order[0]!.toUpperCase()],
    });
    const inCapitals = order.map((text) => text.toUpperCase());
    const ordered = await (
      await admin.raw('PUT', `${GROUP}/order`, { version: 1, order: inCapitals })
    ).json();
    const [group] = (await shown()).modifierGroups;

    expect(listed.items).toMatchObject([
      {
        groupKey: 'key#1',
        name: 'Добавки',
        sizeCount: 1,
        displayName: null,
        uiType: null,
        order: [],
        version: 0,
      },
    ]);
    expect(changed).toMatchObject({
      displayName: 'К блюду',
      isCollapsed: true,
      isHidden: false,
      version: 1,
    });
    expect(twice.status).toBe(422);
    expect(await twice.json()).toMatchObject({ errors: [{ field: 'order.1', code: 'duplicate' }] });
    expect(ordered).toMatchObject({ order, displayName: 'К блюду', version: 2 });
    expect(group).toMatchObject({ name: 'К блюду', collapsed: true });
    expect(group?.modifiers.map((modifier) => modifier.id)).toEqual(order);
  });

  test('[CAT-64] include usages: the dishes with a group, and their products', async () => {
    const other = await rows.item({ name: 'Ягодный морс' });
    const sizeIds = [await rows.size(other.id), await rows.size(other.id, { erp_size_id: 'L' })];
    for (const sizeId of sizeIds) await rows.group(place.menuId, sizeId, { group_key: 'key#1' });
    const path = `/modifier-groups/${encodeURIComponent('key#1')}/usages`;
    const used = await admin.get<{ items: { itemId: string }[] }>(`${path}?sort=sizeCount,desc`);

    expect(used).toMatchObject({
      total: 2,
      items: [
        { itemId: other.erpId, name: 'Ягодный морс', sizeCount: 2, product: null },
        { sizeCount: 1, product: null },
      ],
    });
    await addRow(api.deps.db, 'catalog_item_binding', {
      itemId: dish.itemId,
      productId: dish.productId,
    });
    expect((await admin.get<typeof used>(path)).items).toContainEqual(
      expect.objectContaining({
        product: expect.objectContaining({ id: dish.productId, status: 'PUBLISHED' }),
      }),
    );
    await updateRows(api.deps.db, 'mirror_item', { deletedAt: databaseNow() }, { id: other.id });
    expect((await admin.get<{ total: number }>(path)).total).toBe(1);
    expect((await admin.raw('GET', '/modifier-groups/nowhere/usages')).status).toBe(404);
  });

  test('show the current modifiers of a group, and the answer can be sent back', async () => {
    const group = await rows.group(place.menuId, dish.sizeId, {
      group_key: 'key#2',
      name: 'Сиропы',
    });
    const syrups = [
      await rows.modifier(place.menuId, {}),
      await rows.modifier(place.menuId, {}),
    ] as const;
    for (const { itemId } of syrups) await rows.link(group, itemId);
    const path = `/modifier-groups/${encodeURIComponent('key#2')}/order`;
    const [gone, kept] = syrups.map((syrup) => syrup.erpId);
    await admin.raw('PUT', path, { version: 0, order: [gone, kept] });
    await deleteRows(api.deps.db, 'mirror_modifier_link', { itemId: syrups[0].itemId });
    const { items } = await admin.get<{ items: { order: string[] }[] }>(
      '/modifier-groups?q=сиропы',
    );

    expect(items).toMatchObject([{ order: [kept], version: 1 }]);
    expect((await admin.raw('PUT', path, { version: 1, order: items[0]!.order })).status).toBe(200);
  });

  test('show guests the edited name and picture of a modifier', async () => {
    const erpId = sauces[0]!.erpId;
    const imageId = await rows.media();
    const listed = await admin.get<{ total: number }>(
      `/modifiers?group_key=${encodeURIComponent('key#1')}`,
    );
    const changed = await admin.patch(`/modifiers/${erpId}`, {
      version: 0,
      displayName: 'Сметана',
      imageId,
    });
    const seen = (await shown()).modifierGroups[0]?.modifiers.find(
      (modifier) => modifier.id === erpId,
    );
    await admin.patch(`/modifiers/${erpId}`, { version: 1, isHidden: true });
    const hidden = (await shown()).modifierGroups[0]?.modifiers.map((modifier) => modifier.id);

    expect(listed.total).toBe(2);
    expect(changed).toMatchObject({
      erpItemId: erpId,
      displayName: 'Сметана',
      imageId,
      position: null,
      version: 1,
    });
    expect(seen).toMatchObject({ name: 'Сметана', image: { id: imageId } });
    expect(hidden).toEqual([sauces[1]!.erpId]);
    expect(await audited('modifier')).toEqual([{ action: 'update' }, { action: 'update' }]);
  });

  test.each([
    ['PATCH', '/modifier-groups/none', { version: 0, isHidden: true }, 404],
    ['PATCH', GROUP, { version: 7, isHidden: true }, 409],
    ['PATCH', GROUP, { version: 2, uiType: 'SLIDER' }, 422],
    ['PUT', `${GROUP}/order`, { version: 2, order: ['00000000-0000-4000-8000-000000000000'] }, 422],
    ['PATCH', '/modifiers/00000000-0000-4000-8000-000000000000', { version: 0 }, 404],
  ])('answer %s %s with %j by %d', async (method, path, body, status) => {
    expect(await awaitRefusal(admin.raw(method, path, body))).toMatchObject({ status });
  });

  test('accept one of two concurrent edits', async () => {
    const erpId = sauces[1]!.erpId;
    const answers = await Promise.all(
      ['а', 'б', 'в'].map((displayName) =>
        admin.raw('PATCH', `/modifiers/${erpId}`, { version: 0, displayName }),
      ),
    );

    expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ]);
  });
});
