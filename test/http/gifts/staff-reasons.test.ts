import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { sealAudit } from '../../../modules/access/audit/seal-audit.ts';
import { verifyAudit } from '../../../modules/access/audit/verify-audit.ts';
import { readPersonal } from '../../../modules/access/customers/personal-data.ts';
import { expireRights } from '../../../modules/gifts/rights/expire-rights.ts';
import {
  moveRights,
  redeemRights,
  releaseRights,
  reserveRights,
} from '../../../modules/gifts/rights/move-rights.ts';
import { returnGifts } from '../../../modules/gifts/orders/return-gifts.ts';
import type {
  Compensation,
  CompensationWithMoves,
  Reward,
} from '../../../modules/gifts/schemas/gifts.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { readAudit } from '../../support/audit.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { holdTable } from '../../support/races.ts';
import { grantTo, rebuiltRights, storedRights } from '../../support/rights.ts';
import { ago, countRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';
import { tablesWith } from '../../support/whole-schema.ts';

let api: TestApi;
let admin: AdminClient;
let rows: MenuRows;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let gift: Reward & { sizeId: number };
let other: Reward & { sizeId: number };
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  rows = menuRows(api.deps.db);
  place = await rows.restaurant();
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  [gift, other] = [await newGift(), await newGift()];
});
afterAll(() => api.stop());

async function newGift(): Promise<Reward & { sizeId: number }> {
  const item = await rows.item();
  const sizeId = await rows.size(item.id);
  await rows.offer(place.menuId, { itemId: item.id, sizeId }, { [place.organizationId]: 0 });
  const body = {
    code: randomUUID(),
    name: 'Тарт',
    erpItemId: item.erpId,
    organizationId: place.organizationId,
  };
  return { ...(await admin.post<Reward>('/rewards', body, newKey())), sizeId };
}

const newKey = () => ({ 'idempotency-key': randomUUID() });
let phones = 79_990_800_000;
const newPhone = () => `+${(phones += 1)}`;
const grant = (more: object = {}) =>
  admin.post<CompensationWithMoves>(
    '/compensations',
    { rewardId: gift.id, clientPhone: newPhone(), reason: 'LATE_DELIVERY', ...more },
    newKey(),
  );
const read = (id: string) => admin.get<CompensationWithMoves>(`/compensations/${id}`);
const setPrice = (priceKopecks: number) =>
  updateRows(api.deps.db, 'mirror_price', { priceKopecks }, { itemSizeId: gift.sizeId });
const check = () => admin.post(`/rewards/${gift.id}/check`);
const audit = (id: string) => readAudit(api.deps, 'compensation', id);
const plainIn = (words: string) =>
  tablesWith(
    api.deps.db,
    (text) => text.includes(words) || text.includes(JSON.stringify(words).slice(1, -1)),
  );

describe('the ledger and the audit of rights', () => {
  test('[CMP-107] contain the user or process of a change, separate from the reason', async () => {
    const { id } = await grant({ reasonComment: 'Ждали час' });
    await admin.patch(`/compensations/${id}`, {
      version: 0,
      reason: 'OTHER',
      reasonComment: 'Ждали два часа',
    });
    await setPrice(100);
    await check();
    await setPrice(0);
    await check();
    await admin.post(`/compensations/${id}/rebind`, {
      rewardId: other.id,
      reason: 'Тарт закончился',
    });
    const { moves } = await admin.post<CompensationWithMoves>(`/compensations/${id}/cancel`, {
      reason: 'Ошибка',
    });

    const staff = { userId: 1, actor: null, reasonErased: false };
    const checker = { userId: null, actor: 'reward-check', reasonErased: false };
    const byStaff = { user: { id: 1 }, actor: null, reasonErased: false };
    const byChecker = { user: null, actor: 'reward-check', reasonErased: false };
    expect(moves).toMatchObject([
      { move: 'GRANT', ...byStaff, reason: 'Ждали час' },
      { move: 'EDIT', ...byStaff, reason: 'Ждали два часа' },
      { move: 'BLOCK', ...byChecker, reason: 'PRICE_NOT_ZERO' },
      { move: 'UNBLOCK', ...byChecker, reason: 'GIFT_AVAILABLE' },
      { move: 'REBIND', ...byStaff, reason: 'Тарт закончился' },
      { move: 'CANCEL', ...byStaff, reason: 'Ошибка' },
    ]);
    expect(await audit(id)).toMatchObject([
      {
        action: 'grant',
        actorType: 'USER',
        ...staff,
        reason: 'Ждали час',
        after: { reasonComment: 'Ждали час' },
      },
      {
        action: 'edit',
        ...staff,
        reason: 'Ждали два часа',
        before: { reason: 'LATE_DELIVERY', reasonComment: 'Ждали час' },
        after: { reason: 'OTHER', reasonComment: 'Ждали два часа' },
      },
      { action: 'block', actorType: 'SYSTEM', ...checker, reason: 'PRICE_NOT_ZERO' },
      { action: 'unblock', ...checker, reason: 'GIFT_AVAILABLE' },
      { action: 'rebind', ...staff, reason: 'Тарт закончился' },
      { action: 'cancel', ...staff, reason: 'Ошибка' },
    ]);
    expect(await rebuiltRights(api.deps.db, [id])).toEqual(await storedRights(api.deps.db, [id]));
  });

  test('[CMP-107] contain a reason for every change by orders, the ERP and the clock', async () => {
    const { db } = api.deps;
    const { clientId } = await grant({ reason: 'SERVICE_ERROR' });
    const [one, elsewhere, late] = [
      await grantTo(db, { clientId, rewardId: gift.id }),
      await grantTo(db, { clientId, rewardId: gift.id }),
      await grantTo(db, { clientId, rewardId: gift.id, expiresAt: new Date(Date.now() + 60_000) }),
    ];
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await db.transaction(async (tx) => {
      await reserveRights(tx, { orderId: first, rights: [one] });
      await releaseRights(tx, first, 'FAILED');
      await reserveRights(tx, { orderId: second, rights: [one] });
      await redeemRights(tx, second);
      await returnGifts(tx, { orderId: second, orderIds: [second] });
      const wanted = { move: 'IMPORT', orderId: third, at: new Date() } as const;
      await moveRights(tx, systemActor('erp-orders'), { ids: [elsewhere] }, wanted);
    });
    await expireRights({ db }, new Date(Date.now() + 120_000));
    const { id: returned } = await selectRow(db, 'compensation', ['id'], { sourceOrderId: second });

    const by = (actor: string, reason: string) => ({
      actorType: 'SYSTEM',
      userId: null,
      actor,
      reason,
    });
    const granted = by('test', 'LATE_DELIVERY');
    expect(await audit(one)).toMatchObject([
      granted,
      by('orders', 'ORDER_PLACED'),
      by('orders', 'FAILED'),
      by('orders', 'ORDER_PLACED'),
      by('orders', 'ORDER_CREATED'),
    ]);
    expect(await audit(elsewhere)).toMatchObject([
      granted,
      by('erp-orders', 'ORDER_FROM_ELSEWHERE'),
    ]);
    expect(await audit(late)).toMatchObject([granted, by('right-expiry', 'TERM_ENDED')]);
    expect(await audit(returned)).toMatchObject([by('order-cancellations', 'LATE_DELIVERY')]);
    const unnamed = { actorType: 'SYSTEM', actorName: null } as const;
    expect([
      await countRows(db, 'compensation_move', { reason: null, reasonId: null }),
      await countRows(db, 'audit_entry', {
        entityType: 'compensation',
        reason: null,
        reasonId: null,
      }),
      await countRows(db, 'compensation_move', unnamed),
      await countRows(db, 'audit_entry', unnamed),
    ]).toEqual([0, 0, 0, 0]);
  });

  test('[CMP-107] show the process of an entry that a former release has written', async () => {
    const { id } = await grant();
    await api.deps.db.query(
      `insert into audit_entry (actor_type, entity_type, entity_id, action, reason)
       select 'SYSTEM', 'compensation', $1, action, reason
         from unnest(array['redeem', 'release', 'rebind'], array['orders', 'FAILED', 'Temporal: Anna']) as old (action, reason)`,
      [id],
    );

    expect((await audit(id)).slice(1)).toMatchObject([
      { actor: 'orders', reason: null },
      { actor: null, reason: 'FAILED' },
      { actor: 'Temporal: Anna', reason: null },
    ]);
  });
});

describe('texts of staff about a client', () => {
  /** Writes the text wherever staff give a reason about gifts. */
  async function write(
    words: string,
    phone: string,
  ): Promise<{ id: string; clientId: string; openId: string }> {
    const { id, clientId } = await grant({ clientPhone: phone, reasonComment: words });
    await admin.patch(`/compensations/${id}`, {
      version: 0,
      reason: 'OTHER',
      reasonComment: `${words} и ещё`,
    });
    await admin.post(`/compensations/${id}/rebind`, { rewardId: other.id, reason: words });
    await admin.post(`/compensations/${id}/cancel`, { reason: words });
    const { id: openId } = await grant({ clientPhone: phone, reasonComment: words });
    const found = { client_id: clientId, reward_id: gift.id, found_at: new Date() };
    const marker = { ...found, source: 'ERP_CATEGORY', subject: randomUUID(), generation: 1 };
    const right = await grantTo(api.deps.db, { clientId, rewardId: gift.id });
    const conflict = await rows.insert('compensation_conflict', {
      ...marker,
      kind: 'REMOVED_BY_HAND',
      compensation_id: right,
    });
    await rows.insert('client_card', { client_id: clientId }, 'client_id');
    await admin.post(`/compensation-conflicts/${conflict}/resolve`, {
      decision: 'IGNORE',
      reason: words,
    });
    const candidate = await rows.insert('compensation_candidate', {
      client_id: clientId,
      phrase: 'gift',
      generation: 1,
      is_present: true,
      found_at: new Date(),
      seen_at: new Date(),
    });
    await admin.post(`/compensation-candidates/${candidate}/dismiss`, { reason: words });
    const giftOrder = await rows.insert('erp_gift_order', {
      connection_id: place.connectionId,
      erp_order_id: randomUUID(),
      organization_erp_id: place.organizationErpId,
      day: '2026-11-20',
      status: 'Closed',
      erp_timestamp: 1,
    });
    const line = {
      gift_order_id: giftOrder,
      erp_item_id: randomUUID(),
      erp_size_id: '',
      name: 'Тарт',
      quantity: 1,
    };
    const unauthorized = await rows.insert('unauthorized_gift', {
      ...found,
      ...line,
      kind: 'NO_RIGHT',
    });
    await admin.post(`/compensations/unauthorized/${unauthorized}/settle`, {
      decision: 'ALLOWED',
      reason: words,
    });
    return { id, clientId, openId };
  }
  const listed = async (clientId: string) => {
    const lists = [
      'compensations',
      'compensation-conflicts',
      'compensation-candidates',
      'compensations/unauthorized',
    ];
    const answers = await Promise.all(
      lists.map(
        async (path) =>
          (await admin.get<{ items: { clientId: string }[] }>(`/${path}?size=200`)).items,
      ),
    );
    return JSON.stringify(answers.flat().filter((item) => item.clientId === clientId));
  };
  const times = (text: string, words: string) => text.split(words).length - 1;

  test('[CMP-108, HTTP-26] appear in answers, and in plain text in no table, event or log line', async () => {
    const words = 'Кенарева, 999 555-01-42, кричала';
    const { id, clientId } = await write(words, newPhone());

    const right = await read(id);
    expect(times(await listed(clientId), words)).toBe(5);
    expect(times(JSON.stringify(right), words)).toBe(5);
    expect(times(JSON.stringify(await audit(id)), words)).toBe(7);
    expect(await plainIn('Кенарева')).toEqual([]);
    expect(api.logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(api.logged)).not.toContain('Кенарева');
    const stored = await selectRows(api.deps.db, 'personal_data', ['id'], { purpose: 'REASON' });
    const texts = await readPersonal<{ words: string }>(
      api.deps.db,
      api.deps,
      stored.map((row) => row.id),
    );
    expect([...texts.values()]).toContainEqual({ words: `${words} и ещё` });
  });

  test('[CMP-109, HTTP-26] disappear from answers when a client is erased, and the audit stays complete', async () => {
    const [words, phone] = ['Синицына опять жаловалась', newPhone()];
    const { id, clientId, openId } = await write(words, phone);
    const neighbour = await grant({ reasonComment: words });
    await sealAudit(api.deps);
    const before = await verifyAudit(api.deps.db);
    await admin.post('/clients/forget', { phone, reason: 'Просьба гостьи' });
    const forgotten = await readAudit(api.deps, 'compensation-client', clientId);

    expect(await listed(clientId)).not.toContain(words);
    const { moves, ...right } = await read(id);
    expect(right).toMatchObject({
      status: 'CANCELLED',
      reason: 'OTHER',
      reasonComment: null,
      reasonCommentErased: true,
    });
    expect(moves).toMatchObject(
      moves.map(() => ({ reason: null, reasonErased: true, user: { id: 1 } })),
    );
    expect(await audit(id)).toMatchObject([
      {
        action: 'grant',
        reason: null,
        reasonErased: true,
        userId: 1,
        after: { reasonComment: null },
      },
      {
        action: 'edit',
        reason: null,
        before: { reasonComment: null },
        after: { reasonComment: null },
      },
      { action: 'rebind', reason: null, reasonErased: true },
      { action: 'cancel', reason: null, reasonErased: true },
    ]);
    expect(await read(openId)).toMatchObject({
      status: 'GRANTED',
      reasonComment: null,
      reasonCommentErased: true,
    });
    expect(await read(neighbour.id)).toMatchObject({
      reasonComment: words,
      reasonCommentErased: false,
    });
    expect(forgotten).toMatchObject([
      { action: 'forget', reason: 'Просьба гостьи', reasonErased: false },
    ]);
    expect(await rebuiltRights(api.deps.db, [id])).toEqual(await storedRights(api.deps.db, [id]));
    expect(await verifyAudit(api.deps.db, before.end)).toMatchObject({ fault: null });
    await sealAudit(api.deps);
    expect(await verifyAudit(api.deps.db)).toMatchObject({ fault: null });
  });

  test('[CMP-109] disappear even if they are written during the erasure of the client', async () => {
    const phone = newPhone();
    const { id } = await grant({ clientPhone: phone });
    const blocked = { move: 'BLOCK', reason: 'NOT_SOLD', at: new Date() } as const;
    await api.deps.db.transaction((tx) =>
      moveRights(tx, systemActor('reward-check'), { ids: [id] }, blocked),
    );
    const held = await holdTable(api.deps.db, 'audit_entry');
    const edit = { version: 1, reason: 'OTHER', reasonComment: 'Снова звонила' };
    const editing = admin.raw('PATCH', `/compensations/${id}`, edit);
    await held.waits(1);
    const forgetting = admin.raw('POST', '/clients/forget', { phone, reason: 'Просьба' });
    await held.waits(2);
    await held.release();

    expect([(await editing).status, (await forgetting).status]).toEqual([200, 200]);
    expect(await read(id)).toMatchObject({
      version: 2,
      reasonComment: null,
      reasonCommentErased: true,
    });
  });

  test('[CMP-109] follow the right that a canceled order returns, and are erased with both', async () => {
    const phone = newPhone();
    const { db } = api.deps;
    const [{ id }, orderId] = [
      await grant({ clientPhone: phone, reasonComment: 'Остыло' }),
      randomUUID(),
    ];
    await db.transaction(async (tx) => {
      await reserveRights(tx, { orderId, rights: [id] });
      await redeemRights(tx, orderId);
      await returnGifts(tx, { orderId, orderIds: [orderId] });
    });
    const { id: returned } = await selectRow(db, 'compensation', ['id'], {
      sourceOrderId: orderId,
    });
    const before = await read(returned);
    await admin.post('/clients/forget', { phone, reason: 'Просьба' });

    expect(before).toMatchObject({
      reasonComment: 'Остыло',
      moves: [{ actor: 'order-cancellations' }],
    });
    expect([await read(id), await read(returned)]).toMatchObject([
      { reasonComment: null, reasonCommentErased: true },
      { reasonComment: null, reasonCommentErased: true },
    ]);
  });

  test('[CMP-109] disappear after their retention, even while the right exists', async () => {
    const { db } = api.deps;
    const [old, recent] = [
      await grant({ reasonComment: 'Давно' }),
      await grant({ reasonComment: 'Недавно' }),
    ];
    const { reasonCommentId } = await selectRow(db, 'compensation', ['reasonCommentId'], {
      id: old.id,
    });
    await updateRows(db, 'personal_data', { createdAt: ago('366 days') }, { id: reasonCommentId! });
    await deleteOutdated(db);

    expect([await read(old.id), await read(recent.id)]).toMatchObject([
      {
        status: 'GRANTED',
        reason: 'LATE_DELIVERY',
        reasonComment: null,
        reasonCommentErased: true,
      },
      { reasonComment: 'Недавно', reasonCommentErased: false },
    ]);
    const { items } = await admin.get<{ items: Compensation[] }>(
      `/compensations?client=${old.clientId}`,
    );
    expect(items).toMatchObject([{ reasonComment: null, reasonCommentErased: true }]);
  });
});
