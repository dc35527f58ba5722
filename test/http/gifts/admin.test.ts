import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { redeemRights, reserveRights } from '../../../modules/gifts/rights/move-rights.ts';
import type {
  Compensation,
  CompensationWithMoves,
  Reward,
} from '../../../modules/gifts/schemas/gifts.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { holdTable } from '../../support/races.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { addRow, countRows, plus, selectRows, updateRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
let rows: MenuRows;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let elsewhere: typeof place;
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  rows = menuRows(api.deps.db);
  place = await rows.restaurant();
  elsewhere = await rows.restaurant();
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

const newKey = () => ({ 'idempotency-key': randomUUID() });
const send = (method: string, path: string, body?: object) =>
  admin.raw(method, path, body, method === 'POST' ? newKey() : {});
const refused = (method: string, path: string, body?: object) =>
  awaitRefusal(send(method, path, body));

let counter = 0;
const newCode = () => `gift-${(counter += 1)}`;
const newPhone = () => `+7999000${String((counter += 1)).padStart(4, '0')}`;

/** An item that the ERP sells in the first restaurant. */
async function soldFor(kopecks: number): Promise<{ id: number; erpId: string; sizeId: number }> {
  const item = await rows.item();
  const sizeId = await rows.size(item.id);
  await rows.offer(place.menuId, { itemId: item.id, sizeId }, { [place.organizationId]: kopecks });
  return { ...item, sizeId };
}
async function newReward(more: object = {}): Promise<Reward> {
  const { erpId } = await soldFor(0);
  const body = {
    code: newCode(),
    name: 'Тарт',
    erpItemId: erpId,
    organizationId: place.organizationId,
    ...more,
  };
  return admin.post<Reward>('/rewards', body, newKey());
}
const promise = (rewardId: number, more: object = {}) =>
  admin.post<CompensationWithMoves>(
    '/compensations',
    { rewardId, clientPhone: newPhone(), reason: 'LATE_DELIVERY', ...more },
    newKey(),
  );

describe('a reward', () => {
  test('can be created with its health, read, listed and changed with the current version', async () => {
    const imageId = await rows.media();
    const made = await newReward({ imageId, categoryId: randomUUID().toUpperCase() });
    const inactive = await admin.patch<Reward>(`/rewards/${made.id}`, {
      version: 1,
      name: 'Эклер',
      isActive: false,
    });

    expect(made).toMatchObject({
      name: 'Тарт',
      organizationId: place.organizationId,
      organizationErpId: place.organizationErpId,
      erpItemSizeId: null,
      imageId,
      categoryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      isActive: true,
      health: { state: 'OK', reasons: [], checkedAt: expect.any(String) },
      version: 1,
    });
    expect(inactive).toMatchObject({ name: 'Эклер', isActive: false, code: made.code, version: 2 });
    expect(await refused('PATCH', `/rewards/${made.id}`, { version: 1, name: 'x' })).toMatchObject({
      type: '/problems/version-conflict',
    });
    expect(await admin.get(`/rewards/${made.id}`)).toEqual(inactive);
    const { items } = await admin.get<{ items: Reward[] }>('/rewards?is_active=false');
    expect(items).toContainEqual(inactive);
    expect(items.every((item) => !item.isActive)).toBe(true);
    const [use] = (await admin.get<{ items: object[] }>(`/media/${imageId}/usages`)).items;
    expect(use).toMatchObject({ kind: 'REWARD_IMAGE', entityType: 'reward', name: 'Эклер' });
  });

  test('requires unique code and category, and its code keeps its category', async () => {
    const categoryId = randomUUID();
    const { code } = await newReward({ categoryId });
    const body = { code: newCode(), name: 'x', erpItemId: (await soldFor(0)).erpId };

    expect(await refused('POST', '/rewards', { ...body, code })).toMatchObject({
      errors: [{ field: 'code' }],
    });
    expect(await refused('POST', '/rewards', { ...body, categoryId })).toMatchObject({
      type: '/problems/duplicate',
      errors: [{ field: 'categoryId' }],
    });
    expect(await refused('PATCH', '/rewards/1', { version: 1, code: 'other' })).toMatchObject({
      errors: [{ field: 'code', code: 'unknown_field' }],
    });
  });

  test('[CMP-8] requires an existing dish and size that no product sells and that is not the delivery fee', async () => {
    const dish = await rows.dish({ ...place, prices: { [place.organizationId]: 0 } });
    await rows.insert(
      'catalog_item_binding',
      { item_id: dish.itemId, product_id: dish.productId },
      'item_id',
    );
    const other = await soldFor(0);
    const fee = await soldFor(0);
    await addRow(api.deps.db, 'service_role', { role: 'DELIVERY_FEE', erpItemId: fee.erpId });
    const body = { code: newCode(), name: 'x' };
    const cases = [
      [{ erpItemId: randomUUID() }, 'erpItemId', 'not_found'],
      [{ erpItemId: (await rows.item({ role: 'MODIFIER' })).erpId }, 'erpItemId', 'not_found'],
      [{ erpItemId: other.erpId, erpItemSizeId: dish.sizeId }, 'erpItemSizeId', 'not_found'],
      [{ erpItemId: dish.erpId }, 'erpItemId', 'item_on_sale'],
      [{ erpItemId: fee.erpId }, 'erpItemId', 'item_of_delivery_fee'],
      [{ erpItemId: other.erpId, organizationId: 1_000_000 }, 'organizationId', 'not_found'],
      [{ erpItemId: other.erpId, imageId: 1_000_000 }, 'imageId', 'not_found'],
    ] as const;

    for (const [more, field, code] of cases)
      expect(await refused('POST', '/rewards', { ...body, ...more })).toMatchObject({
        errors: [{ field, code }],
      });
    expect(
      await send('POST', '/rewards', { ...body, erpItemId: dish.erpId, isActive: false }),
    ).toHaveProperty('status', 201);
  });

  test('[CMP-8] blocks its rights if the dish has a price, and restores them when it is free again', async () => {
    const item = await soldFor(0);
    const reward = await newReward({ erpItemId: item.erpId });
    const { id } = await promise(reward.id);
    const notified = () =>
      selectRows(api.deps.db, 'notification', '*', {
        kind: 'GIFT_BROKEN',
        subjectId: String(reward.id),
        resolvedAt: null,
      });

    await updateRows(
      api.deps.db,
      'mirror_price',
      { priceKopecks: 100 },
      { itemSizeId: item.sizeId },
    );
    const broken = await admin.post<Reward>(`/rewards/${reward.id}/check`);
    const blocked = await admin.get<CompensationWithMoves>(`/compensations/${id}`);
    const told = await notified();
    const refusal = await refused('POST', '/compensations', {
      rewardId: reward.id,
      clientPhone: newPhone(),
      reason: 'OTHER',
    });
    await updateRows(api.deps.db, 'mirror_price', { priceKopecks: 0 }, { itemSizeId: item.sizeId });
    const healthy = await admin.post<Reward>(`/rewards/${reward.id}/check`);

    expect(broken.health).toMatchObject({ state: 'BROKEN', reasons: ['PRICE_NOT_ZERO'] });
    expect(blocked).toMatchObject({ status: 'BLOCKED' });
    expect(blocked.moves.at(-1)).toMatchObject({
      move: 'BLOCK',
      reason: 'PRICE_NOT_ZERO',
      actor: 'reward-check',
    });
    expect(told).toHaveLength(1);
    expect(refusal).toMatchObject({ errors: [{ field: 'rewardId', code: 'reward_broken' }] });
    expect(healthy.health).toMatchObject({ state: 'OK', reasons: [] });
    expect(await admin.get(`/compensations/${id}`)).toMatchObject({
      status: 'GRANTED',
      version: 2,
    });
    expect(await notified()).toEqual([]);
  });

  test('[CMP-7] applies only where the item is sold, if it is of the whole network', async () => {
    const made = await newReward({ organizationId: null });

    expect(made.health).toMatchObject({ state: 'LIMITED', reasons: ['NOT_SOLD'] });
    const [told] = await selectRows(api.deps.db, 'notification', ['details'], {
      kind: 'GIFT_LIMITED',
      subjectId: String(made.id),
    });
    expect(told?.details).toMatchObject({
      code: made.code,
      organizationErpIds: [elsewhere.organizationErpId],
    });
  });
});

describe('a right to a gift', () => {
  test('[CMP-9] can be granted manually once per key, and shows no phone', async () => {
    const { id: rewardId, code } = await newReward();
    const [phone, key] = [newPhone(), newKey()];
    const body = {
      rewardId,
      clientPhone: phone.replace('+7', '8 '),
      reason: 'SERVICE_ERROR',
      reasonComment: ' Остыло ',
      quantity: 2,
      expiresAt: '2100-01-01T00:00:00Z',
    };

    const [first, again] = [
      await admin.post<CompensationWithMoves>('/compensations', body, key),
      await admin.post<CompensationWithMoves>('/compensations', body, key),
    ];

    expect(again).toEqual(first);
    expect(first).toMatchObject({
      rewardId,
      rewardCode: code,
      connectionId: place.connectionId,
      status: 'GRANTED',
      quantity: 2,
      reason: 'SERVICE_ERROR',
      reasonComment: 'Остыло',
      source: 'ADMIN',
      grantedBy: 'STAFF',
      grantedByUser: { id: 1, name: expect.any(String) },
      clientPhone: `+7******${phone.slice(-4)}`,
      moves: [
        { version: 0, move: 'GRANT', before: null, after: 'GRANTED', user: { id: 1 }, actor: null },
      ],
    });
    expect(JSON.stringify(first)).not.toContain(phone);
    const more = await promise(rewardId, { clientPhone: undefined, clientId: first.clientId });
    expect(more.clientId).toBe(first.clientId);
  });

  test('can be found by its state, client, phone, reward and time', async () => {
    const { id: rewardId } = await newReward();
    const phone = newPhone();
    const [one, other] = [await promise(rewardId, { clientPhone: phone }), await promise(rewardId)];
    await admin.post(`/compensations/${other.id}/cancel`, { reason: 'Ошибка' });
    const found = async (query: string) =>
      (await admin.get<{ items: Compensation[] }>(`/compensations?${query}`)).items.map(
        (item) => item.id,
      );

    expect(await found(`reward_id=${rewardId}`)).toEqual([other.id, one.id]);
    expect(await found(`reward_id=${rewardId}&status=CANCELLED`)).toEqual([other.id]);
    expect(await found(`client=${one.clientId}`)).toEqual([one.id]);
    expect(await found(`client=${encodeURIComponent(phone)}`)).toEqual([one.id]);
    const time = encodeURIComponent(String(other.grantedAt));
    expect(await found(`reward_id=${rewardId}&from=${time}`)).toEqual([other.id]);
    expect(await found(`reward_id=${rewardId}&to=${time}`)).toEqual([one.id]);
    expect(await refused('GET', '/compensations?client=not-a-phone')).toMatchObject({
      errors: [{ field: 'client' }],
    });
  });

  test('requires one existing client, a future end, and a gift of the same account', async () => {
    const { id: rewardId } = await newReward();
    const far = await newReward({ organizationId: null });
    const { clientId } = await promise(rewardId);
    const body = { rewardId, reason: 'OTHER' };
    const cases = [
      [{}, 'clientPhone', 'required'],
      [{ clientId, clientPhone: newPhone() }, 'clientPhone', 'required'],
      [{ clientPhone: 'call me maybe' }, 'clientPhone', 'format'],
      [{ clientId: randomUUID() }, 'clientId', 'not_found'],
      [{ clientId, rewardId: 1_000_000 }, 'rewardId', 'not_found'],
      [{ clientId, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'min'],
      [{ clientId, quantity: 0 }, 'quantity', 'min'],
      [
        { clientPhone: newPhone(), connectionId: elsewhere.connectionId },
        'connectionId',
        'invalid',
      ],
      [{ clientPhone: newPhone(), rewardId: far.id }, 'connectionId', 'required'],
      [
        { clientPhone: newPhone(), rewardId: far.id, connectionId: 1_000_000 },
        'connectionId',
        'not_found',
      ],
    ] as const;

    for (const [more, field, code] of cases)
      expect(await refused('POST', '/compensations', { ...body, ...more })).toMatchObject({
        errors: [{ field, code }],
      });
  });

  test('[CMP-9] cannot be granted to the own phone, in any format', async () => {
    const { id: rewardId } = await newReward();
    const phone = newPhone();
    const { clientId } = await promise(rewardId, { clientPhone: phone });
    await updateRows(api.deps.db, 'access_user', { phone }, { id: 1 });
    const [byPhone, byId] = [
      await refused('POST', '/compensations', {
        rewardId,
        reason: 'OTHER',
        clientPhone: phone.replace('+7', '8'),
      }),
      await refused('POST', '/compensations', { rewardId, reason: 'OTHER', clientId }),
    ];
    await updateRows(api.deps.db, 'access_user', { phone: null }, { id: 1 });

    expect(byPhone).toMatchObject({ errors: [{ field: 'clientPhone', code: 'own_phone' }] });
    expect(byId).toMatchObject({ errors: [{ field: 'clientId', code: 'own_phone' }] });
  });

  test('[CMP-10] requires a reason for a change, and the history contains user, time and reason', async () => {
    const [first, second] = [await newReward(), await newReward()];
    const { id } = await promise(first.id);

    for (const path of ['cancel', 'rebind'])
      for (const reason of [undefined, null, '  ', '\u200b\u2060', '\t\u00ad'])
        expect(
          await refused('POST', `/compensations/${id}/${path}`, {
            ...(path === 'rebind' ? { rewardId: second.id } : {}),
            reason,
          }),
        ).toMatchObject({ type: '/problems/reason-required', status: 422 });
    expect(
      await refused('POST', `/compensations/${id}/cancel`, { reason: 'An er\u0007ror' }),
    ).toMatchObject({
      errors: [{ field: 'reason', code: 'invalid' }],
    });
    const bound = await admin.post<CompensationWithMoves>(`/compensations/${id}/rebind`, {
      rewardId: second.id,
      reason: 'Тарт закончился',
    });
    const ended = await admin.post<CompensationWithMoves>(`/compensations/${id}/cancel`, {
      reason: 'Ошибка',
    });

    expect(bound).toMatchObject({ status: 'GRANTED', rewardId: second.id, version: 1 });
    expect(ended.status).toBe('CANCELLED');
    expect(ended.moves).toMatchObject([
      { move: 'GRANT', rewardId: first.id },
      {
        move: 'REBIND',
        before: 'GRANTED',
        after: 'GRANTED',
        rewardId: second.id,
        reason: 'Тарт закончился',
        user: { id: 1 },
      },
      { move: 'CANCEL', before: 'GRANTED', after: 'CANCELLED', reason: 'Ошибка', user: { id: 1 } },
    ]);
    expect(await refused('POST', `/compensations/${id}/cancel`, { reason: 'x' })).toMatchObject({
      type: '/problems/invalid-transition',
      status: 409,
    });
    expect(
      await refused('POST', `/compensations/${id}/rebind`, { rewardId: 1_000_000, reason: 'x' }),
    ).toMatchObject({
      errors: [{ field: 'rewardId', code: 'not_found' }],
    });
    expect(
      await refused('POST', `/compensations/${randomUUID()}/cancel`, { reason: 'x' }),
    ).toMatchObject({
      status: 404,
    });
    const far = await newReward({ organizationId: elsewhere.organizationErpId });
    expect(far.health.state).toBe('BROKEN');
    expect(
      await refused('POST', `/compensations/${id}/rebind`, { rewardId: far.id, reason: 'x' }),
    ).toMatchObject({
      errors: [{ field: 'rewardId', code: 'reward_broken' }],
    });
  });

  test('[CMP-103] can have a new term, reason and source order, with history and audit', async () => {
    const { id } = await promise((await newReward()).id, { reasonComment: 'Курьер опоздал' });
    const sourceOrderId = randomUUID();
    const expiresAt = '2090-01-31T21:00:00.000Z';
    const edit = (body: object) => admin.raw('PATCH', `/compensations/${id}`, body);
    const changed = await edit({
      version: 0,
      reason: 'SERVICE_ERROR',
      expiresAt,
      sourceOrderId: sourceOrderId.toUpperCase(),
    });
    const cleared = await edit({
      version: 1,
      reason: 'OTHER',
      expiresAt: null,
      reasonComment: ' Гость ждал ',
    });

    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({
      status: 'GRANTED',
      reason: 'SERVICE_ERROR',
      reasonComment: 'Курьер опоздал',
      sourceOrderId,
      expiresAt,
      version: 1,
    });
    expect(await cleared.json()).toMatchObject({
      reason: 'OTHER',
      reasonComment: 'Гость ждал',
      sourceOrderId,
      expiresAt: null,
      version: 2,
      moves: [
        { move: 'GRANT' },
        {
          move: 'EDIT',
          before: 'GRANTED',
          after: 'GRANTED',
          reason: 'SERVICE_ERROR',
          user: { id: 1 },
        },
        { move: 'EDIT', reason: 'Гость ждал' },
      ],
    });
    const { items } = await admin.get<{ items: { before: object; after: object }[] }>(
      `/audit?entity_type=compensation&entity_id=${id}`,
    );
    expect(items.find((item) => JSON.stringify(item.after).includes(expiresAt))).toMatchObject({
      before: { reason: 'LATE_DELIVERY', expiresAt: null, sourceOrderId: null },
      after: { reason: 'SERVICE_ERROR', expiresAt, sourceOrderId },
    });
  });

  test('[CMP-103] cannot change without a reason, with another version, in the past, or if it is used', async () => {
    const { id } = await promise((await newReward()).id);
    const edit = (body: object) => refused('PATCH', `/compensations/${id}`, body);
    const [blank, old, past, missing] = [
      await edit({ version: 0 }),
      await edit({ version: 7, reason: 'OTHER' }),
      await edit({ version: 0, reason: 'OTHER', expiresAt: '2020-01-01T00:00:00Z' }),
      await refused('PATCH', `/compensations/${randomUUID()}`, { version: 0, reason: 'OTHER' }),
    ];
    const orderId = randomUUID();
    await api.deps.db.transaction((tx) => reserveRights(tx, { orderId, rights: [id] }));
    const taken = await edit({ version: 1, reason: 'OTHER' });

    expect(blank).toMatchObject({ errors: [{ field: 'reason', code: 'required' }] });
    expect(old).toMatchObject({ type: '/problems/version-conflict', currentVersion: 0 });
    expect(past).toMatchObject({ errors: [{ field: 'expiresAt', code: 'min' }] });
    expect(missing).toMatchObject({ status: 404 });
    expect(taken).toMatchObject({ type: '/problems/compensation-taken', orderId });
    expect(await admin.get(`/compensations/${id}`)).toMatchObject({
      expiresAt: null,
      reason: 'LATE_DELIVERY',
    });
  });

  test('[CMP-103] changes once if two users send the same version', async () => {
    const { id } = await promise((await newReward()).id);
    const held = await holdTable(api.deps.db, 'compensation');
    const edits = [1, 2, 3, 4].map((day) =>
      admin.raw('PATCH', `/compensations/${id}`, {
        version: 0,
        reason: 'OTHER',
        expiresAt: `2090-01-0${day}T00:00:00Z`,
      }),
    );
    await held.waits(edits.length);
    await held.release();
    const statuses = (await Promise.all(edits)).map(({ status }) => status);

    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
    expect(await admin.get(`/compensations/${id}`)).toMatchObject({ version: 1 });
  });

  test('[CMP-10] cannot be changed by staff if an order has it, and the answer contains the order number', async () => {
    const reward = await newReward();
    const { id } = await promise(reward.id);
    const orderId = randomUUID();
    const { db } = api.deps;
    const taken = { type: '/problems/compensation-taken', status: 409, orderId };

    await db.transaction((tx) => reserveRights(tx, { orderId, rights: [id] }));
    const [cancelled, bound] = [
      await refused('POST', `/compensations/${id}/cancel`, { reason: 'x' }),
      await refused('POST', `/compensations/${id}/rebind`, { rewardId: reward.id, reason: 'x' }),
    ];
    await db.transaction((tx) => redeemRights(tx, orderId));

    expect([cancelled, bound]).toMatchObject([taken, taken]);
    expect(await refused('POST', `/compensations/${id}/cancel`, { reason: 'x' })).toMatchObject(
      taken,
    );
    expect(await admin.get(`/compensations/${id}`)).toMatchObject({
      status: 'REDEEMED',
      redeemedOrderId: orderId,
    });
  });
});

// Last, because it uses up the administrator's grants.
describe('gifts of one user', () => {
  test('[CMP-9] end at the daily limit of the setting, also in concurrent requests', async () => {
    const { id: rewardId } = await newReward();
    const count = await countRows(api.deps.db, 'compensation');
    await rows.setting('compensation_grants_per_day', count + 2);
    const body = () => ({ rewardId, clientPhone: newPhone(), reason: 'OTHER' });

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send('POST', '/compensations', body())),
    );
    const refusal = await refused('POST', '/compensations', body());

    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 409, 409, 409,
    ]);
    expect(refusal).toMatchObject({ type: '/problems/grant-limit-reached', status: 409 });
    await updateRows(api.deps.db, 'compensation', { grantedAt: plus('grantedAt', '-24 hours') });
    expect((await send('POST', '/compensations', body())).status).toBe(201);
  });
});
