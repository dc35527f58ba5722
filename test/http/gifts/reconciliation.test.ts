import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { checkGiftDays } from '../../../modules/ordering/gift-days/check-gift-days.ts';
import { moveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { readAudit } from '../../support/audit.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { holdTable } from '../../support/races.ts';
import { GRANTER, rightsFixture } from '../../support/rights.ts';
import { tablesWith } from '../../support/whole-schema.ts';
import {
  addRow,
  ago,
  databaseNow,
  deleteRows,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

type Day = {
  date: string;
  organizationId: number;
  organizationName: string;
  atErp: number;
  redeemed: number;
  unauthorized: number;
  difference: number;
  differingOrders: number;
  checkedAt: string | null;
  fingerprint: string | null;
  acceptedAt: string | null;
  acceptedBy: { id: number; name: string } | null;
  acceptanceReason: string | null;
};

const ZONE = 'Europe/Moscow';
let api: TestApi;
let admin: AdminClient;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
let connectionId: number;
let place: { id: number; erpId: string };
let today: Temporal.PlainDate;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  fixture = await rightsFixture(api.deps.db);
});
afterAll(() => api.stop());
beforeEach(async () => {
  await deleteRows(api.deps.db, 'notification');
  connectionId = await fixture.rows.connection();
  place = await fixture.rows.organization(connectionId, { name: '=Кафе, "у моря"' });
  today = Temporal.Now.plainDateISO(ZONE);
});

const dayBefore = (days: number): string => today.subtract({ days }).toString();

type Order = {
  gifts?: number;
  rights?: number[];
  unauthorized?: number;
  day?: string;
  ownOrderId?: string;
};

async function seen({
  gifts = 1,
  rights = [],
  unauthorized = 0,
  day = dayBefore(1),
  ownOrderId,
}: Order = {}) {
  const orderId = randomUUID();
  const giftOrder = await fixture.rows.insert('erp_gift_order', {
    connection_id: connectionId,
    erp_order_id: orderId,
    organization_erp_id: place.erpId,
    own_order_id: ownOrderId ?? null,
    day,
    status: 'Closed',
    erp_timestamp: 1,
  });
  const itemId = randomUUID();
  const item = { gift_order_id: giftOrder, erp_item_id: itemId, erp_size_id: '', name: 'Тарт' };
  if (gifts > 0)
    await fixture.rows.insert('erp_gift_line', { ...item, quantity: gifts }, 'gift_order_id');
  if (unauthorized > 0)
    await fixture.rows.insert('unauthorized_gift', {
      ...item,
      kind: 'NO_RIGHT',
      quantity: unauthorized,
      reward_id: fixture.rewardId,
      found_at: new Date(),
    });
  for (const quantity of rights) await redeem(ownOrderId ?? orderId, quantity);
  return orderId;
}

async function redeem(orderId: string, quantity = 1): Promise<void> {
  const id = await fixture.grant({ quantity });
  await api.deps.db.transaction((tx) =>
    moveRights(tx, GRANTER, { ids: [id] }, { move: 'IMPORT', orderId, at: new Date() }),
  );
}

const check = () => checkGiftDays(api.deps.db, { connectionId, timeZone: ZONE });
const days = async (from = dayBefore(10), to = dayBefore(0)) =>
  (
    await admin.get<{ items: Day[] }>(
      `/compensations/reconciliation?from=${from}&to=${to}&organization_id=${place.id}`,
    )
  ).items;
const told = () =>
  api.deps.db.db
    .selectFrom('notification')
    .where('kind', '=', 'GIFTS_DIFFER')
    .select((row) => ['subjectId as subject', 'details', row('resolvedAt', 'is', null).as('open')])
    .orderBy('id')
    .execute();

describe('the comparison of gifts of a day', () => {
  test('[CMP-55] matches redeemed rights, including those of several units, and gifts without a right', async () => {
    const own = await fixture.rows.order({ connectionId, organizationId: place.id });
    await seen({ gifts: 1, rights: [1] });
    await seen({ gifts: 3, rights: [2], unauthorized: 1 });
    await seen({ gifts: 1, rights: [1], ownOrderId: own });
    await seen({ gifts: 1, rights: [1], day: dayBefore(2) });

    expect(await days()).toMatchObject([
      {
        date: dayBefore(2),
        atErp: 1,
        redeemed: 1,
        unauthorized: 0,
        difference: 0,
        differingOrders: 0,
        checkedAt: null,
      },
      {
        date: dayBefore(1),
        organizationId: place.id,
        atErp: 5,
        redeemed: 4,
        unauthorized: 1,
        difference: 0,
      },
    ]);
    await check();
    expect(await told()).toEqual([]);
    expect((await days()).map(({ checkedAt }) => typeof checkedAt)).toEqual(['string', 'string']);
  });

  test('[CMP-55] shows a difference if our order redeemed a right and the ERP shows no gift in it', async () => {
    const orderId = await fixture.rows.order(
      { connectionId, organizationId: place.id },
      { day: dayBefore(1) },
    );
    await redeem(orderId);

    expect(await days()).toMatchObject([
      { date: dayBefore(1), atErp: 0, redeemed: 1, difference: -1, differingOrders: 1 },
    ]);
    await check();
    expect(await told()).toMatchObject([
      { subject: `${dayBefore(1)}/${place.erpId}`, details: { redeemed: 1, orderIds: [orderId] } },
    ]);
  });

  test('[CMP-55, CMP-56] reports a difference hidden in the sums once per change until it is resolved', async () => {
    const without = await seen({ gifts: 1 });
    const fewer = await seen({ gifts: 1, rights: [2] });

    expect(await days()).toMatchObject([
      { atErp: 2, redeemed: 2, difference: 0, differingOrders: 2 },
    ]);
    expect(await check()).toMatchObject({ differing: 1 });
    await check();
    expect(await told()).toMatchObject([
      { open: true, details: { orderIds: [without, fewer].toSorted() } },
    ]);

    await updateRows(api.deps.db, 'notification', { resolvedAt: databaseNow() });
    await check();
    expect(await told()).toMatchObject([{ open: false }]);

    await redeem(without);
    await check();
    expect(await told()).toMatchObject([
      { open: false },
      { open: true, details: { orderIds: [fewer] } },
    ]);
    const order = await selectRow(api.deps.db, 'erp_gift_order', ['id'], { erpOrderId: fewer });
    await updateRows(api.deps.db, 'erp_gift_line', { quantity: 2 }, { giftOrderId: order.id });
    expect(await check()).toMatchObject({ differing: 0 });
    expect(await told()).toMatchObject([{ open: false }, { open: false }]);
  });

  test('[CMP-56] happens after the end of the local day, and again while the day differs', async () => {
    await addRow(api.deps.db, 'ordering_config', {
      organizationId: place.id,
      timeZone: 'Pacific/Kiritimati',
    });
    const there = Temporal.Now.plainDateISO('Pacific/Kiritimati');
    const before = (count: number) => there.subtract({ days: count }).toString();
    await seen({ day: before(0) });
    await seen({ day: before(1) });
    await seen({ day: before(9) });
    const late = await seen({ day: before(8) });
    await addRow(api.deps.db, 'gift_reconciliation', {
      day: before(8),
      organizationErpId: place.erpId,
      connectionId,
      atErp: 1,
      redeemed: 0,
      unauthorized: 0,
      differingOrders: 1,
      checkedAt: ago('5 days'),
    });
    await redeem(late);
    await check();

    expect((await told()).map(({ subject }) => subject)).toEqual([`${before(1)}/${place.erpId}`]);
    const [row] = await selectRows(api.deps.db, 'gift_reconciliation', ['differingOrders'], {
      day: before(8),
      organizationErpId: place.erpId,
    });
    expect(row).toEqual({ differingOrders: 0 });
  });
});

describe('the orders behind a difference', () => {
  test('[CMP-130] show their counts, even if two cancel each other in the sums', async () => {
    const own = await fixture.rows.order(
      { connectionId, organizationId: place.id },
      { day: dayBefore(1), number: 'A-17' },
    );
    await redeem(own);
    const without = await seen({ gifts: 1 });
    await seen({ gifts: 1, rights: [1] });
    await seen({ gifts: 2, day: dayBefore(2) });
    const list = async (query = '') =>
      (
        await admin.get<{ items: object[] }>(
          `/compensations/reconciliation/orders?date=${dayBefore(1)}&organization_id=${place.id}${query}`,
        )
      ).items;

    expect(await list('&sort=difference,asc')).toEqual([
      {
        orderId: own,
        erpOrderId: own,
        number: 'A-17',
        organizationErpId: place.erpId,
        atErp: 0,
        redeemed: 1,
        unauthorized: 0,
        difference: -1,
      },
      expect.objectContaining({
        orderId: without,
        erpOrderId: without,
        number: null,
        atErp: 1,
        difference: 1,
      }),
    ]);
    const [day] = await days(dayBefore(1), dayBefore(1));
    expect(day).toMatchObject({ difference: 0, differingOrders: (await list()).length });
  });
});

describe('a permanent difference', () => {
  const accept = (day: Day, body: object = {}) =>
    admin.raw('POST', '/compensations/reconciliation/accept', {
      date: day.date,
      organizationErpId: place.erpId,
      fingerprint: day.fingerprint,
      reason: 'Гость взял одну порцию из двух',
      ...body,
    });
  const counted = () =>
    api.deps.db.query<{ day: string }>(
      `select day::text from gift_reconciliation
        where connection_id = $1 and differing_orders > 0 and (accepted_fingerprint = fingerprint) is not true`,
      [connectionId],
    );
  const lastCheck = async (days: number) =>
    (
      await selectRows(api.deps.db, 'gift_reconciliation', ['checkedAt as at'], {
        connectionId,
        day: dayBefore(days),
      })
    )[0]?.at;

  test('[CMP-71] causes no comparison or report after its acceptance until the ERP changes it', async () => {
    const fewer = await seen({ gifts: 1, rights: [2], day: dayBefore(3) });
    await check();
    expect(await told()).toMatchObject([{ open: true }]);
    const [day] = await days();
    const answers = [await accept(day!), await accept(day!, { reason: 'второй раз' })];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await answers[0]!.json()).toMatchObject({
      fingerprint: day!.fingerprint,
      differingOrders: 1,
      acceptedAt: expect.any(String),
      acceptedBy: { id: expect.any(Number), name: expect.any(String) },
      acceptanceReason: 'Гость взял одну порцию из двух',
    });
    expect(await days()).toMatchObject([{ acceptanceReason: 'Гость взял одну порцию из двух' }]);
    expect([await told(), await counted()]).toMatchObject([[{ open: false }], []]);
    const words = 'Гость взял одну порцию из двух';
    const [entry, ...more] = await readAudit(
      api.deps,
      'gift-day',
      `${dayBefore(3)}/${place.erpId}`,
    );
    expect([entry, more]).toMatchObject([
      { action: 'accept', reason: words, after: { acceptanceReason: words } },
      [],
    ]);
    expect(await tablesWith(api.deps.db, (text) => text.includes(words))).toEqual([]);
    expect(await check()).toMatchObject({ differing: 0, accepted: 1 });
    expect(await told()).toMatchObject([{ open: false }]);

    // A week later the day is not among the last days.
    await updateRows(api.deps.db, 'erp_gift_order', {
      day: plus('day', -7),
      seenAt: ago('7 days'),
    });
    await updateRows(
      api.deps.db,
      'gift_reconciliation',
      { day: plus('day', -7) },
      { connectionId },
    );
    const before = await lastCheck(10);
    expect(await check()).toMatchObject({ differing: 0, accepted: 0 });
    expect(await lastCheck(10)).toEqual(before);
    const order = await selectRow(api.deps.db, 'erp_gift_order', ['id'], { erpOrderId: fewer });
    await updateRows(api.deps.db, 'erp_gift_line', { quantity: 0 }, { giftOrderId: order.id });
    await updateRows(api.deps.db, 'erp_gift_order', { seenAt: databaseNow() }, { id: order.id });
    expect(await days()).toMatchObject([
      { difference: -2, acceptedAt: null, acceptanceReason: null },
    ]);
    expect(await check()).toMatchObject({ differing: 1, accepted: 0 });
    expect(await told()).toMatchObject([
      { open: false },
      { open: true, details: { atErp: 0, redeemed: 2 } },
    ]);
    expect(await counted()).toEqual([{ day: dayBefore(10) }]);
  });

  test('[CMP-71] can be accepted only in its current state, after a comparison, with a reason', async () => {
    await seen({ gifts: 1, day: dayBefore(1) });
    const [day] = await days();
    const early = await accept(day!);
    await check();
    const blank = await accept(day!, { reason: ' \n' });
    const unknown = await accept(day!, { date: dayBefore(60) });
    const other = await seen({ gifts: 2, day: dayBefore(1) });
    const stale = await accept(day!);
    const [now] = await days();
    const right = await accept(now!);
    await redeem(other, 2);
    const after = await days();

    expect([early, blank, unknown, stale, right].map(({ status }) => status)).toEqual([
      404, 422, 404, 409, 200,
    ]);
    expect(await stale.json()).toMatchObject({ type: expect.stringContaining('version-conflict') });
    expect(after).toMatchObject([
      { differingOrders: 1, fingerprint: day!.fingerprint, acceptedAt: null },
    ]);
  });

  test('can be accepted once in concurrent requests', async () => {
    await seen({ gifts: 1 });
    await check();
    const [day] = await days();
    const held = await holdTable(api.deps.db, 'gift_reconciliation');
    const asked = ['первый', 'второй'].map((reason) => accept(day!, { reason }));
    await held.waits(asked.length);
    await held.release();
    const answers = await Promise.all(asked);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const reasons = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as Day).acceptanceReason),
    );
    expect(new Set(reasons).size).toBe(1);
    const audit = await selectRows(api.deps.db, 'audit_entry', '*', {
      entityType: 'gift-day',
      entityId: `${day!.date}/${place.erpId}`,
    });
    expect(audit).toHaveLength(1);
  });

  test('cannot be accepted if the day has no difference', async () => {
    await seen({ gifts: 1, rights: [1] });
    await check();
    const [day] = await days();
    const answer = await accept(day!, { fingerprint: 'anything' });
    expect([day!.fingerprint, answer.status]).toEqual([null, 409]);
  });
});

describe('the finance sheet', () => {
  test('[CMP-57] contains the same days, and a name that looks like a formula as text', async () => {
    await seen({ gifts: 2, rights: [1] });
    const answer = await admin.raw(
      'GET',
      `/compensations/reconciliation.csv?from=${dayBefore(1)}&to=${dayBefore(1)}&organization_id=${place.erpId}`,
    );

    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="gifts-');
    expect(await answer.text()).toBe(
      'date,organization,organization_name,at_erp,redeemed,unauthorized,difference,differing_orders,checked_at,accepted_at,acceptance_reason\r\n' +
        `${dayBefore(1)},${place.erpId},"'=Кафе, ""у моря""",2,1,0,1,1,,,\r\n`,
    );
  });

  test('[CMP-57] cannot be requested for a year that does not exist', async () => {
    for (const path of ['reconciliation', 'reconciliation.csv']) {
      const answer = await admin.raw('GET', `/compensations/${path}?from=0000-01-01&to=0000-01-02`);
      expect(answer.status).toBe(422);
    }
  });

  test.each([
    ['the end before the beginning', '2026-11-20', '2026-11-19'],
    ['more than 92 days', '2026-01-01', '2026-04-03'],
  ])('[CMP-57] cannot be requested with %s', async (_, from, to) => {
    for (const path of ['reconciliation', 'reconciliation.csv']) {
      const answer = await admin.raw('GET', `/compensations/${path}?from=${from}&to=${to}`);
      expect([answer.status, await answer.json()]).toMatchObject([
        422,
        { errors: [{ field: 'to', code: 'invalid' }] },
      ]);
    }
  });
});
