import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { checkGiftDays } from '../../../app/ordering/gift-days.ts';
import { moveRights } from '../../../app/compensation/move-rights.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { GRANTER, rightsWorld } from '../../support/rights.ts';

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
};

const ZONE = 'Europe/Moscow';
let api: TestApi;
let admin: AdminClient;
let world: Awaited<ReturnType<typeof rightsWorld>>;
let connectionId: number;
let place: { id: number; erpId: string };
let today: Temporal.PlainDate;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  world = await rightsWorld(api.deps.db);
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.deps.db.query('delete from notification');
  connectionId = await world.rows.connection();
  place = await world.rows.organization(connectionId, { name: '=Кафе, "у моря"' });
  today = Temporal.Now.plainDateISO(ZONE);
});

const dayBefore = (days: number): string => today.subtract({ days }).toString();

type Order = { gifts?: number; rights?: number[]; unauthorized?: number; day?: string; ownOrderId?: string };

/** An order that the ERP has shown, and what was made of it. */
async function seen({ gifts = 1, rights = [], unauthorized = 0, day = dayBefore(1), ownOrderId }: Order = {}) {
  const orderId = randomUUID();
  const giftOrder = await world.rows.insert('erp_gift_order', {
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
    await api.deps.db.query(
      'insert into erp_gift_line (gift_order_id, erp_item_id, erp_size_id, name, quantity) values ($1, $2, $3, $4, $5)',
      [...Object.values(item), gifts],
    );
  if (unauthorized > 0)
    await world.rows.insert('unauthorized_gift', {
      ...item,
      kind: 'NO_RIGHT',
      quantity: unauthorized,
      reward_id: world.rewardId,
      found_at: new Date(),
    });
  for (const quantity of rights) await redeem(ownOrderId ?? orderId, quantity);
  return orderId;
}

async function redeem(orderId: string, quantity = 1): Promise<void> {
  const id = await world.grant({ quantity });
  await api.deps.db.transaction((tx) =>
    moveRights(tx, GRANTER, { ids: [id] }, { move: 'IMPORT', orderId, at: new Date() }),
  );
}

const check = () => checkGiftDays(api.deps.db, { connectionId, timeZone: ZONE });
const days = async (from = dayBefore(10), to = dayBefore(0)) =>
  (await admin.get<{ items: Day[] }>(`/compensations/reconciliation?from=${from}&to=${to}&organization_id=${place.id}`))
    .items;
const told = () =>
  api.deps.db.query<{ subject: string; details: object; open: boolean }>(
    `select subject_id as subject, details, resolved_at is null as open from notification where kind = 'GIFTS_DIFFER' order by id`,
  );

describe('the gifts of a day', () => {
  test('add up: rights that are redeemed, whole ones too, and gifts without a right', async () => {
    const own = await world.rows.order({ connectionId, organizationId: place.id });
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
      { date: dayBefore(1), organizationId: place.id, atErp: 5, redeemed: 4, unauthorized: 1, difference: 0 },
    ]);
    await check();
    expect(await told()).toEqual([]);
    expect((await days()).map(({ checkedAt }) => typeof checkedAt)).toEqual(['string', 'string']);
  });

  test('differ when an order of ours redeemed a right and the ERP shows no gift in it', async () => {
    const orderId = await world.rows.order({ connectionId, organizationId: place.id }, { day: dayBefore(1) });
    await redeem(orderId);

    expect(await days()).toMatchObject([
      { date: dayBefore(1), atErp: 0, redeemed: 1, difference: -1, differingOrders: 1 },
    ]);
    await check();
    expect(await told()).toMatchObject([
      { subject: `${dayBefore(1)}/${place.erpId}`, details: { redeemed: 1, orderIds: [orderId] } },
    ]);
  });

  test('differ also when one order hides the other in the sums; people are told once and when it changes, until it adds up', async () => {
    const without = await seen({ gifts: 1 });
    const fewer = await seen({ gifts: 1, rights: [2] });

    expect(await days()).toMatchObject([{ atErp: 2, redeemed: 2, difference: 0, differingOrders: 2 }]);
    expect(await check()).toMatchObject({ differing: 1 });
    await check();
    expect(await told()).toMatchObject([{ open: true, details: { orderIds: [without, fewer].toSorted() } }]);

    await api.deps.db.query('update notification set resolved_at = now()');
    await check();
    expect(await told()).toMatchObject([{ open: false }]);

    await redeem(without);
    await check();
    expect(await told()).toMatchObject([{ open: false }, { open: true, details: { orderIds: [fewer] } }]);
    await api.deps.db.query(
      `update erp_gift_line set quantity = 2 from erp_gift_order o
      where o.id = gift_order_id and o.erp_order_id = $1`,
      [fewer],
    );
    expect(await check()).toMatchObject({ differing: 0 });
    expect(await told()).toMatchObject([{ open: false }, { open: false }]);
  });

  test('are compared when the day is over by the clock of the organization, and again while they differ', async () => {
    await api.deps.db.query(
      `insert into ordering_config (organization_id, time_zone) values ($1, 'Pacific/Kiritimati')`,
      [place.id],
    );
    const there = Temporal.Now.plainDateISO('Pacific/Kiritimati');
    const before = (count: number) => there.subtract({ days: count }).toString();
    await seen({ day: before(0) });
    await seen({ day: before(1) });
    await seen({ day: before(9) });
    const late = await seen({ day: before(8) });
    await api.deps.db.query(
      `insert into gift_reconciliation values ($1, $2, $3, 1, 0, 0, 1, now() - interval '5 days')`,
      [before(8), place.erpId, connectionId],
    );
    await redeem(late);
    await check();

    expect((await told()).map(({ subject }) => subject)).toEqual([`${before(1)}/${place.erpId}`]);
    const [row] = await api.deps.db.query<{ differing_orders: number }>(
      'select differing_orders from gift_reconciliation where day = $1 and organization_erp_id = $2',
      [before(8), place.erpId],
    );
    expect(row).toEqual({ differing_orders: 0 });
  });
});

describe('the sheet of finance', () => {
  test('has the same days, and a name that looks like a formula is a text', async () => {
    await seen({ gifts: 2, rights: [1] });
    const answer = await admin.raw(
      'GET',
      `/compensations/reconciliation.csv?from=${dayBefore(1)}&to=${dayBefore(1)}&organization_id=${place.erpId}`,
    );

    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="gifts-');
    expect(await answer.text()).toBe(
      'date,organization,organization_name,at_erp,redeemed,unauthorized,difference,differing_orders,checked_at\r\n' +
        `${dayBefore(1)},${place.erpId},"'=Кафе, ""у моря""",2,1,0,1,1,\r\n`,
    );
  });

  test('of a year that the calendar does not have is refused', async () => {
    for (const path of ['reconciliation', 'reconciliation.csv']) {
      const answer = await admin.raw('GET', `/compensations/${path}?from=0000-01-01&to=0000-01-02`);
      expect(answer.status).toBe(422);
    }
  });

  test.each([
    ['the end before the beginning', '2026-11-20', '2026-11-19'],
    ['more than 92 days', '2026-01-01', '2026-04-03'],
  ])('%s is refused', async (_, from, to) => {
    for (const path of ['reconciliation', 'reconciliation.csv']) {
      const answer = await admin.raw('GET', `/compensations/${path}?from=${from}&to=${to}`);
      expect([answer.status, await answer.json()]).toMatchObject([422, { errors: [{ field: 'to', code: 'invalid' }] }]);
    }
  });
});
