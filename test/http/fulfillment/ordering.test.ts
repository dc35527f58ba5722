import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { createFulfillmentStore } from '../../../app/fulfillment/fulfillment-store.ts';
import { readMarks } from '../../../app/fulfillment/read-marks.ts';
import type {
  DeliverySlots,
  OrderingConfig,
  OrderingSchedule,
  OrderingStatus,
  ScheduleException,
} from '../../../contracts/fulfillment.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { refusalOf } from '../../support/refusal.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let api: Storefront;
let admin: AdminClient;
let connectionId: number;
beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  api = await startStorefront(database, { routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  connectionId = await rows.connection();
});
afterAll(async () => {
  await api?.stop();
  await database?.close();
});

type Place = { id: number; erpId: string };
const place = (row: Record<string, unknown> = {}): Promise<Place> => rows.organization(connectionId, row);
const put = <T>(path: string, body: unknown) =>
  admin.raw('PUT', path, body).then(async (answer) => {
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  });
const DAYS = [1, 2, 3, 4, 5, 6, 7];
const channels = (...names: string[]) => names;
/** The same window on every day of the week, for each channel. */
const daily = (opensAt: string, closesAt: string, names = channels('DELIVERY', 'DINE_IN'), crossesMidnight = false) =>
  names.flatMap((channel) => DAYS.map((dayOfWeek) => ({ dayOfWeek, channel, opensAt, closesAt, crossesMidnight })));
const always = daily('00:00', '00:00', channels('DELIVERY', 'DINE_IN'), true);
/** An organization that takes everything, in the zone of Yekaterinburg, with these windows. */
async function opened(windows: object[] = daily('10:00', '22:00'), row: Record<string, unknown> = {}): Promise<Place> {
  const organization = await place(row);
  await admin.patch(`/organizations/${organization.id}/ordering`, {
    version: 0,
    deliveryEnabled: true,
    pickupEnabled: true,
    timeZone: 'Asia/Yekaterinburg',
  });
  await put(`/organizations/${organization.id}/schedule`, { version: 0, windows });
  return organization;
}
const statusOf = async ({ erpId }: Place) =>
  (await (await fetch(`${api.url}/api/v1/organizations/${erpId}/status`)).json()) as OrderingStatus;
const statusWhere = (organization: Place, holds: (status: OrderingStatus) => boolean) =>
  eventually('guests see the edit', async () => {
    const status = await statusOf(organization);
    return holds(status) ? status : undefined;
  });

describe('the configuration of an organization', () => {
  test('has defaults, is changed by number or uuid, and names the zone that counts', async () => {
    const { id, erpId } = await place({ time_zone: 'Asia/Omsk' });
    const unset = await admin.get<OrderingConfig>(`/organizations/${id}/ordering`);
    const changed = await admin.patch<OrderingConfig>(`/organizations/${erpId}/ordering`, {
      version: 0,
      deliveryEnabled: true,
      timeZone: '03:00:00',
      city: ' Омск ',
    });
    const cleared = await admin.patch<OrderingConfig>(`/organizations/${id}/ordering`, { version: 1, timeZone: null });
    const same = await admin.patch<OrderingConfig>(`/organizations/${id}/ordering`, { version: 2, city: 'Омск' });
    const nowhere = await admin.get<OrderingConfig>(`/organizations/${(await place()).id}/ordering`);

    expect(unset).toMatchObject({
      deliveryEnabled: false,
      pickupEnabled: false,
      timedOrdersEnabled: true,
      deliverySlotStepMinutes: 30,
      pickupSlotStepMinutes: 10,
      horizonDays: 2,
      deliveryOpenDelayMinutes: 60,
      deliveryCloseDelayMinutes: 40,
      restaurantOpenDelayMinutes: 60,
      restaurantCloseDelayMinutes: 30,
      version: 0,
      timeZone: null,
      effectiveTimeZone: 'Asia/Omsk',
      updatedAt: null,
    });
    expect(changed).toMatchObject({
      deliveryEnabled: true,
      pickupEnabled: false,
      effectiveTimeZone: '+03:00',
      city: 'Омск',
      version: 1,
    });
    expect(cleared).toMatchObject({ effectiveTimeZone: 'Asia/Omsk', city: 'Омск', version: 2 });
    expect(same.version).toBe(2);
    expect(nowhere.effectiveTimeZone).toBe('Europe/Moscow');
  });

  test.each<[object, string, string]>([
    [{ version: 0, timeZone: 'Nowhere/City' }, 'timeZone', 'invalid'],
    [{ version: 0, code: '  ' }, 'code', 'required'],
    [{ version: 0, horizonDays: 15 }, 'horizonDays', 'max'],
    [{ version: 0, deliverySlotStepMinutes: 1 }, 'deliverySlotStepMinutes', 'min'],
  ])('refuses %j', async (body, field, code) => {
    const { id } = await place();

    expect(await refusalOf(admin.raw('PATCH', `/organizations/${id}/ordering`, body))).toMatchObject({
      status: 422,
      errors: [{ field, code }],
    });
  });

  test('of two edits of one version one is late, also of the first', async () => {
    const { id } = await place();
    const paths = ['ordering', 'schedule'] as const;
    const edits = {
      ordering: () => admin.raw('PATCH', `/organizations/${id}/ordering`, { version: 0, pickupEnabled: true }),
      schedule: () =>
        admin.raw('PUT', `/organizations/${id}/schedule`, { version: 0, windows: daily('10:00', '20:00') }),
    };
    for (const path of paths) {
      await edits[path]();
      expect(await refusalOf(edits[path]())).toMatchObject({ status: 409, currentVersion: 1 });
    }
    expect((await admin.raw('GET', '/organizations/999999999/ordering')).status).toBe(404);
  });
});

describe('the week and its exceptions', () => {
  test('a week is replaced whole, and refused with the fields that overlap', async () => {
    const { id } = await place();
    const windows = daily('10:00', '22:00');
    const stored = await put<OrderingSchedule>(`/organizations/${id}/schedule`, { version: 0, windows });
    const again = await put<OrderingSchedule>(`/organizations/${id}/schedule`, { version: 1, windows });
    const overlapping = [...daily('10:00', '22:00', ['PICKUP']), ...daily('21:00', '23:00', ['PICKUP']).slice(0, 1)];
    const refusal = await refusalOf(
      admin.raw('PUT', `/organizations/${id}/schedule`, { version: 1, windows: overlapping }),
    );

    expect(stored).toMatchObject({ windows, version: 1 });
    expect(again.version).toBe(1);
    expect(refusal).toMatchObject({ status: 422, errors: [{ field: 'windows.7.opensAt', code: 'invalid' }] });
    expect(await admin.get(`/organizations/${id}/schedule`)).toMatchObject({ windows, version: 1 });
  });

  test('an exception is created, changed and deleted; a date has one of a channel', async () => {
    const { id, erpId } = await place();
    const path = `/organizations/${erpId}/schedule-exceptions`;
    const closed = await admin.post<ScheduleException>(path, {
      kind: 'CLOSED',
      date: '2026-12-31',
      reason: ' Ремонт ',
    });
    const stop = await admin.post<ScheduleException>(path, { kind: 'INTAKE_STOPPED', from: '2027-01-01T10:00:00Z' });
    const special = {
      kind: 'SPECIAL_HOURS',
      date: '2026-12-31',
      windows: [{ opensAt: '10:00', closesAt: '15:00', crossesMidnight: false }],
    };
    const twice = await refusalOf(admin.raw('POST', path, special));
    const other = await admin.post<ScheduleException>(path, { ...special, channel: 'PICKUP' });
    const wrong = await refusalOf(
      admin.raw('PATCH', `/schedule-exceptions/${stop.id}`, { version: 1, to: '2026-01-01T10:00:00Z' }),
    );
    const ended = await admin.patch<ScheduleException>(`/schedule-exceptions/${stop.id}`, {
      version: 1,
      to: '2027-01-01T17:00:00+05:00',
    });
    const same = await admin.patch<ScheduleException>(`/schedule-exceptions/${other.id}`, {
      version: 1,
      windows: special.windows,
    });
    const deleted = await admin.raw('DELETE', `/schedule-exceptions/${closed.id}`);
    const listed = await admin.get<{ items: ScheduleException[]; total: number }>(path);

    expect(closed).toMatchObject({ organizationId: id, channel: null, windows: [], reason: 'Ремонт', version: 1 });
    expect(twice).toMatchObject({ status: 409, errors: [{ field: 'date', code: 'duplicate' }] });
    expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'to', code: 'invalid' }] });
    expect(ended).toMatchObject({ from: '2027-01-01T10:00:00.000Z', to: '2027-01-01T12:00:00.000Z', version: 2 });
    expect(same.version).toBe(1);
    expect(deleted.status).toBe(204);
    expect(listed.items.map((each) => each.id)).toEqual([stop.id, other.id]);
    expect((await admin.raw('DELETE', `/schedule-exceptions/${closed.id}`)).status).toBe(404);
  });
});

describe('previews', () => {
  test('say what guests are told at a moment, with the offset of the organization', async () => {
    const { id } = await opened();
    const at = async (moment: string) =>
      admin.get<OrderingStatus>(`/organizations/${id}/status?at=${encodeURIComponent(moment)}`);

    expect(await at('2026-11-23T14:30:00+05:00')).toEqual({
      serverTime: '2026-11-23T14:30:00+05:00',
      open: true,
      delivery: {
        accepting: true,
        reason: null,
        opensAt: '2026-11-23T10:00:00+05:00',
        closesAt: '2026-11-23T22:00:00+05:00',
      },
      pickup: {
        accepting: true,
        reason: null,
        opensAt: '2026-11-23T10:00:00+05:00',
        closesAt: '2026-11-23T22:00:00+05:00',
      },
      closingInMinutes: 450,
      reasons: [],
      nextChangeAt: '2026-11-23T21:20:00+05:00',
      schedule: [{ days: 'Пн–Вс', delivery: '10:00–22:00', pickup: '10:00–22:00' }],
    });
    expect(await at('2026-11-23T21:25:00+05:00')).toMatchObject({
      delivery: { accepting: false, reason: 'CLOSING_SOON' },
      pickup: { accepting: true },
      reasons: ['CLOSING_SOON'],
    });
    expect(await at('2026-11-23T23:00:00+05:00')).toMatchObject({
      open: false,
      closingInMinutes: null,
      reasons: ['CLOSED'],
      delivery: { opensAt: '2026-11-24T10:00:00+05:00' },
    });
  });

  test('offer the slots of a moment', async () => {
    const { id } = await opened();
    const at = encodeURIComponent('2026-11-23T19:40:30+05:00');
    const slots = await admin.get<DeliverySlots>(`/organizations/${id}/slots?type=DELIVERY&at=${at}`);

    expect(slots).toMatchObject({
      asap: { available: true, etaMinutes: 60, etaRange: [60, 90] },
      timedOrdersEnabled: true,
      days: [
        { date: '2026-11-23', label: 'Сегодня' },
        { date: '2026-11-24', label: 'Завтра' },
      ],
    });
    expect(slots.days[0]!.slots).toEqual([{ id: '2026-11-23T21:00+05:00/PT30M', from: '21:00', to: '21:30' }]);
    expect(slots.days[1]!.slots[0]).toMatchObject({ from: '11:00' });
  });
});

describe('guests', () => {
  test('see an edit at once, and why nothing is taken', async () => {
    const organization = await opened(always);
    const path = `/organizations/${organization.id}`;
    const open = await statusWhere(organization, (status) => status.delivery.accepting && status.pickup.accepting);
    const stop = await admin.post<ScheduleException>(`${path}/schedule-exceptions`, {
      kind: 'INTAKE_STOPPED',
      channel: 'DELIVERY',
      from: '2026-01-01T00:00:00Z',
    });
    const stopped = await statusWhere(organization, (status) => !status.delivery.accepting);
    await admin.raw('DELETE', `/schedule-exceptions/${stop.id}`);
    await admin.patch(`${path}/ordering`, { version: 1, deliveryEnabled: false });
    const off = await statusWhere(organization, (status) => status.reasons.includes('DISABLED'));

    expect(open).toMatchObject({ open: true, reasons: [], schedule: [{ delivery: 'круглосуточно' }] });
    expect(open.serverTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:00$/);
    expect(stopped).toMatchObject({
      open: true,
      delivery: { reason: 'INTAKE_STOPPED' },
      pickup: { accepting: true },
      reasons: ['INTAKE_STOPPED'],
    });
    expect(off).toMatchObject({ delivery: { accepting: false, reason: 'DISABLED' }, pickup: { accepting: true } });
  });

  test('get the same from the read before Koa as from Koa', async () => {
    const organization = await opened(always);
    const { erpId } = organization;
    await statusWhere(organization, (status) => status.open);
    const urls = [
      `/organizations/${erpId}/status`,
      ...['DELIVERY', 'PICKUP'].map((type) => `/delivery/slots?organization_id=${erpId}&type=${type}`),
    ];
    for (const url of urls) {
      const [hot, slow] = await eventually('both answer within one second', async () => {
        const answers = [
          await fetch(`${api.url}/api/v1${url}`),
          await fetch(`${api.url}/api/v1${url.replace(erpId, erpId.toUpperCase())}`),
        ];
        const texts = await Promise.all(answers.map((answer) => answer.text()));
        const [one, other] = answers.map(({ status, headers }, at) => {
          const {
            date: _,
            'x-request-id': __,
            'keep-alive': ___,
            connection: ____,
            ...same
          } = Object.fromEntries(headers);
          return { status, text: texts[at], headers: same };
        });
        return one!.text === other!.text ? [one!, other!] : undefined;
      });

      expect(hot!.status).toBe(200);
      expect(hot!.headers['cache-control']).toBe('no-store');
      expect(slow!.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': hot!.headers['content-type'],
      });
      expect(slow!.headers['etag']).toBeUndefined();
    }
  });

  test('are refused where there is nothing to tell', async () => {
    const gone = await place({ inactive_at: new Date() });
    const get = (path: string) => refusalOf(fetch(`${api.url}/api/v1${path}`));

    expect(await get(`/organizations/${gone.erpId}/status`)).toMatchObject({ status: 404 });
    expect(await get('/organizations/7/status')).toMatchObject({ status: 422, errors: [{ field: 'id' }] });
    expect(await get(`/delivery/slots?organization_id=${gone.erpId}&type=DELIVERY`)).toMatchObject({ status: 404 });
    expect(await get(`/delivery/slots?organization_id=${gone.erpId}&type=DINE_IN`)).toMatchObject({
      status: 422,
      errors: [{ field: 'type', code: 'enum' }],
    });
    expect(await get('/delivery/slots?type=PICKUP')).toMatchObject({
      status: 422,
      errors: [{ field: 'organization_id', code: 'required' }],
    });
  });

  test('find an organization that appears, and an edit whose announcement was lost', async () => {
    const { db } = database;
    const store = createFulfillmentStore({ db, env: api.deps.env, log: api.deps.log, pollMs: 50 });
    await store.start();
    try {
      const organization = await opened(always);
      const takes = () => store.find(organization.erpId)?.status(Date.now()).delivery.accepting;
      await eventually('the clock follows', async () => (takes() === true ? true : undefined));
      await db.query('update ordering_config set delivery_enabled = false, version = version + 1');
      await eventually('the poll sees it', async () => (takes() === false ? true : undefined));
      await db.query('update mirror_organization set inactive_at = now() where id = $1', [organization.id]);
      const isGone = async () => (store.find(organization.erpId) === undefined ? true : undefined);
      expect(await eventually('it is gone', isGone)).toBe(true);
    } finally {
      await store.stop();
    }
  });
});

test('every edit gives another mark', async () => {
  const { id, erpId } = await opened();
  const markOf = async () => (await readMarks(database.db)).find((each) => each.erpId === erpId)!.mark;
  const seen = [await markOf()];
  const path = `/organizations/${id}/schedule-exceptions`;
  const edits: (() => Promise<unknown>)[] = [
    () => admin.patch(`/organizations/${id}/ordering`, { version: 1, horizonDays: 3 }),
    () => put(`/organizations/${id}/schedule`, { version: 1, windows: [] }),
    () => admin.post(path, { kind: 'CLOSED', date: '2026-12-31' }),
    () => admin.post(path, { kind: 'CLOSED', date: '2027-01-01' }),
    async () => admin.patch(`/schedule-exceptions/${await firstException(id)}`, { version: 1, date: '2027-01-02' }),
    async () => admin.raw('DELETE', `/schedule-exceptions/${await firstException(id)}`),
    () => admin.post(path, { kind: 'CLOSED', date: '2027-01-03' }),
    () => database.db.query(`update mirror_organization set time_zone = 'UTC' where id = $1`, [id]),
  ];
  for (const edit of edits) {
    await edit();
    seen.push(await markOf());
  }

  expect(new Set(seen).size).toBe(edits.length + 1);
});

async function firstException(organizationId: number): Promise<number> {
  const [row] = await database.db.query<{ id: number }>(
    'select id from schedule_exception where organization_id = $1 order by id limit 1',
    [organizationId],
  );
  return row!.id;
}
