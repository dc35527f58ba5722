import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLivePath } from '../../../api/http/live/live-path.ts';
import { createRateLimits } from '../../../api/http/limits/rate-limits.ts';
import { routes } from '../../../api/routes.ts';
import { createFulfillmentStore } from '../../../modules/delivery/hours/fulfillment-store.ts';
import { tellLeftBehind } from '../../../modules/delivery/configuration/left-behind.ts';
import { FULFILLMENT_LISTENERS } from '../../../modules/delivery/listeners.ts';
import { readMarks } from '../../../modules/delivery/hours/read-marks.ts';
import type { CarteEvents } from '../../../kernel/pure/events.ts';
import type {
  DeliverySlots,
  OrderingConfig,
  OrderingCopy,
  OrderingSchedule,
  OrderingStatus,
  ScheduleException,
} from '../../../modules/delivery/schemas/hours.ts';
import type {
  ExpectationRule,
  GuestNotice,
  PaymentMethod,
  StorefrontContext,
} from '../../../modules/delivery/schemas/context.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { drawMap, rule, square } from '../../support/delivery-map.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import {
  addRow,
  databaseNow,
  deleteRows,
  not,
  plus,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

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
const place = (row: Record<string, unknown> = {}): Promise<Place> =>
  rows.organization(connectionId, row);
/** Sends the notification of an import, so that no test waits for the poll. */
const sendAnnouncement = () => database.db.query(`select pg_notify('carte_ordering', '')`);
const put = <T>(path: string, body: unknown) =>
  admin.raw('PUT', path, body).then(async (answer) => {
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  });
const DAYS = [1, 2, 3, 4, 5, 6, 7];
const channels = (...names: string[]) => names;
const daily = (
  opensAt: string,
  closesAt: string,
  names = channels('DELIVERY', 'DINE_IN'),
  crossesMidnight = false,
) =>
  names.flatMap((channel) =>
    DAYS.map((dayOfWeek) => ({ dayOfWeek, channel, opensAt, closesAt, crossesMidnight })),
  );
const always = daily('00:00', '00:00', channels('DELIVERY', 'DINE_IN'), true);
/** Adds an organization that accepts all orders in these windows, in Yekaterinburg's time zone. */
async function opened(
  windows: object[] = daily('10:00', '22:00'),
  row: Record<string, unknown> = {},
): Promise<Place> {
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
const readStatus = async ({ erpId }: Place) =>
  (await (await fetch(`${api.url}/api/v1/organizations/${erpId}/status`)).json()) as OrderingStatus;
const statusWhere = (organization: Place, holds: (status: OrderingStatus) => boolean) =>
  eventually('guests see the edit', async () => {
    const status = await readStatus(organization);
    return holds(status) ? status : undefined;
  });

describe('the configuration of an organization', () => {
  test('[FUL-16] starts with defaults, is changed by number or uuid, and shows the zone that applies', async () => {
    const { id, erpId } = await place({ time_zone: 'Asia/Omsk' });
    const unset = await admin.get<OrderingConfig>(`/organizations/${id}/ordering`);
    const changed = await admin.patch<OrderingConfig>(`/organizations/${erpId}/ordering`, {
      version: 0,
      deliveryEnabled: true,
      timeZone: '03:00:00',
      city: ' Омск ',
    });
    const cleared = await admin.patch<OrderingConfig>(`/organizations/${id}/ordering`, {
      version: 1,
      timeZone: null,
    });
    const same = await admin.patch<OrderingConfig>(`/organizations/${id}/ordering`, {
      version: 2,
      city: 'Омск',
    });
    const nowhere = await admin.get<OrderingConfig>(
      `/organizations/${(await place()).id}/ordering`,
    );

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
    [{ version: 0, city: 'Омс\u200bк' }, 'city', 'invalid'],
    [{ version: 0, horizonDays: 15 }, 'horizonDays', 'max'],
    [{ version: 0, deliverySlotStepMinutes: 1 }, 'deliverySlotStepMinutes', 'min'],
  ])('rejects %j', async (body, field, code) => {
    const { id } = await place();

    expect(
      await awaitRefusal(admin.raw('PATCH', `/organizations/${id}/ordering`, body)),
    ).toMatchObject({
      status: 422,
      errors: [{ field, code }],
    });
  });

  test('accepts one of two edits of a version, including the first', async () => {
    const { id } = await place();
    const paths = ['ordering', 'schedule'] as const;
    const edits = {
      ordering: () =>
        admin.raw('PATCH', `/organizations/${id}/ordering`, { version: 0, pickupEnabled: true }),
      schedule: () =>
        admin.raw('PUT', `/organizations/${id}/schedule`, {
          version: 0,
          windows: daily('10:00', '20:00'),
        }),
    };
    for (const path of paths) {
      await edits[path]();
      expect(await awaitRefusal(edits[path]())).toMatchObject({ status: 409, currentVersion: 1 });
    }
    expect((await admin.raw('GET', '/organizations/999999999/ordering')).status).toBe(404);
  });
});

describe('the schedule and its exceptions', () => {
  test('replace a week completely, or reject it with the fields that overlap', async () => {
    const { id } = await place();
    const windows = daily('10:00', '22:00');
    const stored = await put<OrderingSchedule>(`/organizations/${id}/schedule`, {
      version: 0,
      windows,
    });
    const again = await put<OrderingSchedule>(`/organizations/${id}/schedule`, {
      version: 1,
      windows,
    });
    const overlapping = [
      ...daily('10:00', '22:00', ['PICKUP']),
      ...daily('21:00', '23:00', ['PICKUP']).slice(0, 1),
    ];
    const refusal = await awaitRefusal(
      admin.raw('PUT', `/organizations/${id}/schedule`, { version: 1, windows: overlapping }),
    );

    expect(stored).toMatchObject({ windows, version: 1 });
    expect(again.version).toBe(1);
    expect(refusal).toMatchObject({
      status: 422,
      errors: [{ field: 'windows.7.opensAt', code: 'invalid' }],
    });
    expect(await admin.get(`/organizations/${id}/schedule`)).toMatchObject({ windows, version: 1 });
  });

  test('[FUL-14] allow one exception per date and channel, which can be changed and deleted', async () => {
    const { id, erpId } = await place();
    const path = `/organizations/${erpId}/schedule-exceptions`;
    const closed = await admin.post<ScheduleException>(path, {
      kind: 'CLOSED',
      date: '2026-12-31',
      reason: ' Ремонт ',
    });
    const stop = await admin.post<ScheduleException>(path, {
      kind: 'INTAKE_STOPPED',
      from: '2027-01-01T10:00:00Z',
    });
    const special = {
      kind: 'SPECIAL_HOURS',
      date: '2026-12-31',
      windows: [{ opensAt: '10:00', closesAt: '15:00', crossesMidnight: false }],
    };
    const twice = await awaitRefusal(admin.raw('POST', path, special));
    const other = await admin.post<ScheduleException>(path, { ...special, channel: 'PICKUP' });
    const wrong = await awaitRefusal(
      admin.raw('PATCH', `/schedule-exceptions/${stop.id}`, {
        version: 1,
        to: '2026-01-01T10:00:00Z',
      }),
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

    expect(closed).toMatchObject({
      organizationId: id,
      channel: null,
      windows: [],
      reason: 'Ремонт',
      version: 1,
    });
    expect(twice).toMatchObject({ status: 409, errors: [{ field: 'date', code: 'duplicate' }] });
    expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'to', code: 'invalid' }] });
    expect(ended).toMatchObject({
      from: '2027-01-01T10:00:00.000Z',
      to: '2027-01-01T12:00:00.000Z',
      version: 2,
    });
    expect(same.version).toBe(1);
    expect(deleted.status).toBe(204);
    expect(listed.items.map((item) => item.id)).toEqual([stop.id, other.id]);
    expect((await admin.raw('DELETE', `/schedule-exceptions/${closed.id}`)).status).toBe(404);
  });
});

describe('the previews of staff', () => {
  test('show what guests see at a time, with the time zone of the organization', async () => {
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

  test('show the slots of a time', async () => {
    const { id } = await opened();
    const at = encodeURIComponent('2026-11-23T19:40:30+05:00');
    const slots = await admin.get<DeliverySlots>(
      `/organizations/${id}/slots?type=DELIVERY&at=${at}`,
    );

    expect(slots).toMatchObject({
      asap: { available: true, etaMinutes: 60, etaRange: [60, 90] },
      timedOrdersEnabled: true,
      days: [
        { date: '2026-11-23', label: 'Сегодня' },
        { date: '2026-11-24', label: 'Завтра' },
      ],
    });
    expect(slots.days[0]!.slots).toEqual([
      { id: '2026-11-23T21:00+05:00/PT30M', from: '21:00', to: '21:30' },
    ]);
    expect(slots.days[1]!.slots[0]).toMatchObject({ from: '11:00' });
  });
});

describe('the guest answers', () => {
  test('[HTTP-103] contain hours and days in the requested language, and lists in the configured language', async () => {
    const organization = await opened(always);
    await statusWhere(organization, (status) => status.pickup.accepting);
    const read = async <T>(path: string, language: string) => {
      const answer = await fetch(`${api.url}/api/v1${path}`, {
        headers: { 'accept-language': language },
      });
      return (await answer.json()) as T;
    };
    const hoursIn = async (id: string, language: string) =>
      (await read<StorefrontContext>(`/context?organization_id=${id}`, language)).status
        .schedule[0]!.pickup;
    const { erpId } = organization;
    // Koa answers the URL in upper case, and the reads before Koa answer the other URL.
    const asked = ['en-US,en;q=0.9,ru;q=0.8', 'ru', 'de,fr', 'en'];
    const before = await Promise.all(asked.map((language) => hoursIn(erpId, language)));
    const koa = await Promise.all(asked.map((language) => hoursIn(erpId.toUpperCase(), language)));
    const slots = await read<DeliverySlots>(
      `/delivery/slots?organization_id=${erpId}&type=PICKUP`,
      'en',
    );
    const list = await read<{ items: { id: string; schedule: object[] }[] }>(
      '/organizations?size=200',
      'en',
    );

    expect(before).toEqual([
      'around the clock',
      'круглосуточно',
      'круглосуточно',
      'around the clock',
    ]);
    expect(koa).toEqual(before);
    expect(slots.days[0]!.label).toBe('Today');
    expect(list.items.find(({ id }) => id === erpId)!.schedule).toMatchObject([
      { pickup: 'круглосуточно' },
    ]);
  });

  test('[FUL-17] show an edit immediately, and why no orders are accepted', async () => {
    const organization = await opened(always);
    const path = `/organizations/${organization.id}`;
    const open = await statusWhere(
      organization,
      (status) => status.delivery.accepting && status.pickup.accepting,
    );
    const stop = await admin.post<ScheduleException>(`${path}/schedule-exceptions`, {
      kind: 'INTAKE_STOPPED',
      channel: 'DELIVERY',
      from: '2026-01-01T00:00:00Z',
    });
    const stopped = await statusWhere(organization, (status) => !status.delivery.accepting);
    await admin.raw('DELETE', `/schedule-exceptions/${stop.id}`);
    await admin.patch(`${path}/ordering`, { version: 1, deliveryEnabled: false });
    const off = await statusWhere(organization, (status) => status.reasons.includes('DISABLED'));

    expect(open).toMatchObject({
      open: true,
      reasons: [],
      schedule: [{ delivery: 'круглосуточно' }],
    });
    expect(open.serverTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:00$/);
    expect(stopped).toMatchObject({
      open: true,
      delivery: { reason: 'INTAKE_STOPPED' },
      pickup: { accepting: true },
      reasons: ['INTAKE_STOPPED'],
    });
    expect(off).toMatchObject({
      delivery: { accepting: false, reason: 'DISABLED' },
      pickup: { accepting: true },
    });
  });

  test('[FUL-48] stop orders while the connection is disabled, until it is enabled', async () => {
    const organization = await opened(always);
    await statusWhere(organization, (status) => status.delivery.accepting);
    const { db } = database;
    const switchTo = async (action: 'disable' | 'enable') => {
      await admin.post(`/connections/${connectionId}/${action}`, {});
      // Without the worker's notification, guests see the switch at the next poll.
      const event = await selectRow(db, 'outbox', ['payload'], { event: 'ConnectionChanged' });
      await deleteRows(db, 'outbox', { event: 'ConnectionChanged' });
      await FULFILLMENT_LISTENERS.ConnectionChanged(
        event.payload as CarteEvents['ConnectionChanged'],
        { db },
      );
    };
    await switchTo('disable');
    const off = await statusWhere(organization, (status) => !status.delivery.accepting);
    const slots = await fetch(
      `${api.url}/api/v1/delivery/slots?organization_id=${organization.erpId}&type=DELIVERY`,
    ).then((answer) => answer.json() as Promise<DeliverySlots>);
    const config = await admin.get<OrderingConfig>(`/organizations/${organization.id}/ordering`);
    await switchTo('enable');
    const on = await statusWhere(organization, (status) => status.delivery.accepting);

    const disabled = { accepting: false, reason: 'DISABLED' };
    expect(off).toMatchObject({
      open: true,
      delivery: disabled,
      pickup: disabled,
      reasons: ['DISABLED'],
    });
    expect(slots.asap.available).toBe(false);
    expect(slots.days.flatMap((day) => day.slots)).toEqual([]);
    // Switches that staff have set do not change.
    expect(config).toMatchObject({ deliveryEnabled: true, pickupEnabled: true });
    expect(on.reasons).toEqual([]);
  });

  test('equal those of Koa if they are served before Koa', async () => {
    const organization = await opened(always);
    const { erpId } = organization;
    await statusWhere(organization, (status) => status.open);
    const urls = [
      `/organizations/${erpId}/status`,
      ...['DELIVERY', 'PICKUP'].map(
        (type) => `/delivery/slots?organization_id=${erpId}&type=${type}`,
      ),
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

  describe('[FUL-58] in the pickup time', () => {
    const mapWith = (organization: Place, minutes: number) =>
      drawMap(database.db, organization, [square('Zone', 0)], [rule('Zone')], {
        defaultSelfServiceDurationInMinutes: minutes,
      });
    const etaWhere = (organization: Place, minutes: number) =>
      eventually(`pickup takes ${minutes} minutes`, async () => {
        const answer = await fetch(
          `${api.url}/api/v1/delivery/slots?organization_id=${organization.erpId}&type=PICKUP`,
        );
        const { asap } = (await answer.json()) as DeliverySlots;
        return asap.etaMinutes === minutes ? asap.etaRange : undefined;
      });
    const readMinutes = async ({ id }: Place) => {
      const config = await admin.get<OrderingConfig>(`/organizations/${id}/ordering`);
      return [config.pickupCookingMinutes, config.effectivePickupCookingMinutes];
    };
    const preview = async ({ id }: Place) => {
      const at = encodeURIComponent(new Date().toISOString());
      const path = `/organizations/${id}/slots?at=${at}&type=PICKUP`;
      return (await admin.get<DeliverySlots>(path)).asap.etaMinutes;
    };

    test('[FUL-58] follow the ERP while staff have set none, even after its map changes', async () => {
      const organization = await opened(always);
      expect(await readMinutes(organization)).toEqual([null, 20]);
      expect(await etaWhere(organization, 20)).toEqual([20, 30]);

      await mapWith(organization, 45);
      await sendAnnouncement();
      expect(await etaWhere(organization, 45)).toEqual([45, 55]);
      expect([await readMinutes(organization), await preview(organization)]).toEqual([
        [null, 45],
        45,
      ]);
    });

    test('[FUL-58] follow staff if they have set some, 20 included, until they clear them', async () => {
      const organization = await opened(always);
      await mapWith(organization, 45);
      const edit = (version: number, pickupCookingMinutes: number | null) =>
        admin.patch<OrderingConfig>(`/organizations/${organization.id}/ordering`, {
          version,
          pickupCookingMinutes,
        });

      expect(await edit(1, 20)).toMatchObject({
        pickupCookingMinutes: 20,
        effectivePickupCookingMinutes: 20,
      });
      expect(await etaWhere(organization, 20)).toEqual([20, 30]);
      expect(await edit(2, null)).toMatchObject({
        pickupCookingMinutes: null,
        effectivePickupCookingMinutes: 45,
      });
      expect(await etaWhere(organization, 45)).toEqual([45, 55]);
    });

    test('[FUL-58] follow the ERP of each organization if the copied one has none', async () => {
      const [source, target] = [await opened(always), await opened(always)];
      await mapWith(source, 45);
      await mapWith(target, 15);
      await admin.patch(`/organizations/${target.id}/ordering`, {
        version: 1,
        pickupCookingMinutes: 30,
      });
      const copied = await admin.post<OrderingCopy>(`/organizations/${target.id}/copy-ordering`, {
        fromOrganizationId: source.id,
        parts: ['CONFIG'],
        mode: 'APPLY',
      });

      expect(copied.changes).toEqual([
        { part: 'CONFIG', field: 'pickupCookingMinutes', before: 30, after: null },
      ]);
      expect(await readMinutes(target)).toEqual([null, 15]);
    });
  });

  test('previews fail if there is nothing to show', async () => {
    const gone = await place({ inactive_at: new Date() });
    const get = (path: string) => awaitRefusal(fetch(`${api.url}/api/v1${path}`));

    expect(await get(`/organizations/${gone.erpId}/status`)).toMatchObject({ status: 404 });
    expect(await get('/organizations/7/status')).toMatchObject({
      status: 422,
      errors: [{ field: 'id' }],
    });
    expect(await get(`/delivery/slots?organization_id=${gone.erpId}&type=DELIVERY`)).toMatchObject({
      status: 404,
    });
    expect(await get(`/delivery/slots?organization_id=${gone.erpId}&type=DINE_IN`)).toMatchObject({
      status: 422,
      errors: [{ field: 'type', code: 'enum' }],
    });
    expect(await get('/delivery/slots?type=PICKUP')).toMatchObject({
      status: 422,
      errors: [{ field: 'organization_id', code: 'required' }],
    });
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['identity', null],
    ['deflate', null],
  ])('[HTTP-14] pack status, slots and context as %s allows', async (accepted, encoding) => {
    const organization = await opened(always);
    await statusWhere(organization, (status) => status.open);
    const { erpId } = organization;
    for (const [path, field] of [
      [`/organizations/${erpId}/status`, 'serverTime'],
      [`/delivery/slots?organization_id=${erpId}&type=DELIVERY`, 'days'],
      [`/context?organization_id=${erpId}`, 'eta'],
    ] as const) {
      // The second request finds the compressed answer of the first.
      for (const _time of [1, 2]) {
        const answer = await fetch(`${api.url}/api/v1${path}`, {
          headers: { 'Accept-Encoding': accepted },
        });

        expect(answer.headers.get('content-encoding')).toBe(encoding);
        expect(answer.headers.get('vary')).toContain('Accept-Encoding');
        expect(await answer.json()).toHaveProperty(field);
      }
    }
  });

  test('[HTTP-32] contain a context that is rendered once per second, before Koa', async () => {
    const { erpId } = await opened(always);
    const { clocks, env } = api.deps;
    const clock = await eventually('the clock is loaded', async () => clocks.find(erpId));
    const written: number[] = [];
    const counted = { ...clock, context: (at: number) => (written.push(at), clock.context(at)) };
    const live = createLivePath({
      clocks: { find: () => counted },
      env,
      limits: createRateLimits(env),
      metrics: createMetrics('test'),
    });
    const server = createServer((request, response) => {
      if (!live.handle(request, response)) response.writeHead(501).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/api/v1/context?organization_id=${erpId}`;
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
      const contexts = (await Promise.all(
        answers.map((answer) => answer.json()),
      )) as StorefrontContext[];

      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(answers[0]?.headers.get('cache-control')).toBe('no-store');
      expect(written).toHaveLength(new Set(contexts.map(({ serverTime }) => serverTime)).size);
    } finally {
      live.stop();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  });

  test('[FUL-17] include a new organization, and an edit whose announcement was lost', async () => {
    const { db } = database;
    const store = createFulfillmentStore({ db, env: api.deps.env, log: api.deps.log, pollMs: 50 });
    await store.start();
    try {
      const organization = await opened(always);
      const takes = () => store.find(organization.erpId)?.status(Date.now()).delivery.accepting;
      await eventually('the clock follows', async () => (takes() === true ? true : undefined));
      await updateRows(db, 'ordering_config', {
        deliveryEnabled: false,
        version: plus('version', 1),
      });
      await eventually('the poll sees it', async () => (takes() === false ? true : undefined));
      await updateRows(
        db,
        'mirror_organization',
        { inactiveAt: databaseNow() },
        { id: organization.id },
      );
      const isGone = async () => (store.find(organization.erpId) === undefined ? true : undefined);
      expect(await eventually('it is gone', isGone)).toBe(true);
    } finally {
      await store.stop();
    }
  });
});

describe('the first data of a guest', () => {
  const readContext = async ({ erpId }: Place) =>
    (await (
      await fetch(`${api.url}/api/v1/context?organization_id=${erpId}`)
    ).json()) as StorefrontContext;
  const contextWhere = (organization: Place, holds: (context: StorefrontContext) => boolean) =>
    eventually('guests see the edit', async () => {
      const context = await readContext(organization);
      return holds(context) ? context : undefined;
    });
  const readVersion = async (code: string) =>
    (await admin.get<PaymentMethod>(`/payment-methods/${code}`)).version;
  const clearPayment = async () => {
    for (const code of ['CASH', 'CARD_ONLINE'])
      await admin.patch(`/payment-methods/${code}`, {
        version: await readVersion(code),
        availability: [],
      });
  };

  test('[FUL-18] contain the organization, its status and its estimate with the longest expectation', async () => {
    const organization = await opened(always, {
      name: 'На Малышева',
      address: 'Малышева, 1',
      latitude: 56.8,
      longitude: 60.6,
    });
    const categoryId = await rows.category();
    await admin.patch(`/organizations/${organization.id}/ordering`, {
      version: 1,
      city: 'Екатеринбург',
    });
    const rule = (more: object) =>
      admin.post<ExpectationRule>('/expectation-rules', {
        organizationId: organization.id,
        ...more,
      });
    const short = await rule({ scope: 'GLOBAL', durationMinutes: 5 });
    const long = await rule({
      scope: 'GLOBAL',
      durationMinutes: 15,
      activeFrom: '2026-01-01T00:00:00Z',
    });
    await rule({ scope: 'GLOBAL', durationMinutes: 50, activeTo: '2026-01-01T00:00:00Z' });
    await rule({ scope: 'CATEGORY', categoryId, durationMinutes: 90 });
    const other = await opened(always);
    const context = await contextWhere(organization, (found) => found.eta.delivery.minutes === 75);
    const slots = (await (
      await fetch(
        `${api.url}/api/v1/delivery/slots?organization_id=${organization.erpId}&type=PICKUP`,
      )
    ).json()) as DeliverySlots;

    expect(context).toMatchObject({
      city: { name: 'Екатеринбург' },
      organization: {
        id: organization.erpId,
        name: 'На Малышева',
        address: 'Малышева, 1',
        coordinates: { latitude: 56.8, longitude: 60.6 },
        timeZone: 'Asia/Yekaterinburg',
      },
      status: { open: true },
      eta: {
        delivery: { minutes: 75, range: [75, 105] },
        pickup: { minutes: 35, range: [35, 45] },
      },
      paymentMethods: [],
      notices: [],
    });
    expect(context.serverTime).toBe(context.status.serverTime);
    expect(slots.asap).toMatchObject({ etaMinutes: 35 });
    expect((await readContext(other)).eta.delivery.minutes).toBe(60);

    await admin.raw('DELETE', `/expectation-rules/${long.id}`);
    const shorter = await contextWhere(organization, (found) => found.eta.delivery.minutes === 65);
    await admin.patch(`/expectation-rules/${short.id}`, { version: 1, durationMinutes: 10 });

    expect(shorter.eta.pickup.minutes).toBe(25);
    await contextWhere(organization, (found) => found.eta.pickup.minutes === 30);
  });

  test.each<[string, object, string, string]>([
    ['expectation-rules', { scope: 'CATEGORY', durationMinutes: 5 }, 'categoryId', 'required'],
    [
      'expectation-rules',
      { scope: 'CATEGORY', durationMinutes: 5, categoryId: 999_999 },
      'categoryId',
      'not_found',
    ],
    [
      'expectation-rules',
      { scope: 'CATEGORY', durationMinutes: 5, categoryId: 1e300 },
      'categoryId',
      'not_found',
    ],
    [
      'expectation-rules',
      { scope: 'GLOBAL', durationMinutes: 5, organizationId: 999_999 },
      'organizationId',
      'not_found',
    ],
    ['expectation-rules', { scope: 'GLOBAL', durationMinutes: 0 }, 'durationMinutes', 'min'],
    [
      'notices',
      { code: 'X_1', severity: 'INFO', title: 'A', text: 'До {midnight}', ttlSeconds: 1 },
      'text',
      'invalid',
    ],
    [
      'notices',
      { code: 'X_1', severity: 'INFO', title: ' ', text: 'B', ttlSeconds: 1 },
      'title',
      'required',
    ],
  ])('cannot come from %s with %j', async (path, body, field, code) => {
    expect(await awaitRefusal(admin.raw('POST', `/${path}`, body))).toMatchObject({
      status: 422,
      errors: [{ field, code }],
    });
  });

  test('[FUL-19] contain the active notices with their values, and none with missing values', async () => {
    const organization = await opened(always);
    const notice = (code: string, text: string, more: object = {}) =>
      admin.post<GuestNotice>('/notices', {
        code,
        severity: 'WARNING',
        title: 'Высокий спрос',
        text,
        ttlSeconds: 600,
        organizationId: organization.id,
        ...more,
      });
    const demand = await notice('HIGH_DEMAND', 'Доставка займёт {deliveryMinutes} мин.', {
      position: 2,
    });
    await notice('OPENS_AT', 'Откроемся в {opensAt}', { position: 1 });
    await notice('LATER', 'Скоро', { activeFrom: '2100-01-01T00:00:00Z' });
    await notice('SILENT', 'Тихо', { isActive: false });
    const { notices } = await contextWhere(organization, (found) => found.notices.length > 0);
    const twice = await awaitRefusal(
      admin.raw('POST', '/notices', {
        code: 'SILENT',
        severity: 'INFO',
        title: 'A',
        text: 'B',
        ttlSeconds: 1,
      }),
    );
    await admin.patch(`/notices/${demand.id}`, {
      version: 1,
      organizationId: null,
      text: 'Ждать дольше',
    });
    const elsewhere = await contextWhere(await opened(always), (found) => found.notices.length > 0);

    expect(notices).toEqual([
      {
        code: 'HIGH_DEMAND',
        severity: 'WARNING',
        title: 'Высокий спрос',
        text: 'Доставка займёт 60 мин.',
        ttlSeconds: 600,
      },
    ]);
    expect(twice).toMatchObject({ status: 409, errors: [{ field: 'code', code: 'duplicate' }] });
    expect(elsewhere.notices).toMatchObject([{ code: 'HIGH_DEMAND', text: 'Ждать дольше' }]);
    expect((await admin.raw('DELETE', `/notices/${demand.id}`)).status).toBe(204);
    await contextWhere(organization, (found) => found.notices.length === 0);
  });

  test('[FUL-20, FUL-45] contain the payment methods that need no payment port and exist at the ERP', async () => {
    const [organization, other] = [await opened(always), await opened(always)];
    const availability = [
      { organizationId: organization.id, fulfillmentTypes: ['DELIVERY', 'PICKUP'] },
    ];
    for (const code of ['CASH', 'CARD_ONLINE'])
      await admin.patch(`/payment-methods/${code}`, {
        version: await readVersion(code),
        availability,
      });
    await admin.patch('/payment-methods/CARD_COURIER', {
      version: await readVersion('CARD_COURIER'),
      availability: [
        { organizationId: organization.id, fulfillmentTypes: ['DELIVERY'] },
        { organizationId: other.id, fulfillmentTypes: [] },
      ],
    });
    const { paymentMethods } = await contextWhere(
      organization,
      (found) => found.paymentMethods.length > 1,
    );
    const unknown = [
      { organizationId: 999_999, fulfillmentTypes: ['PICKUP'] },
      ...availability,
      ...availability,
    ];
    const refusal = await awaitRefusal(
      admin.raw('PATCH', '/payment-methods/CASH', {
        version: await readVersion('CASH'),
        availability: unknown,
      }),
    );
    const listed = await admin.get<{ items: PaymentMethod[] }>('/payment-methods');

    expect(paymentMethods).toEqual([
      {
        code: 'CASH',
        name: 'Наличными',
        isCash: true,
        isOnline: false,
        allowsLeaveAtDoor: false,
        requiresChange: true,
        fulfillmentTypes: ['DELIVERY', 'PICKUP'],
      },
      expect.objectContaining({ code: 'CARD_COURIER', fulfillmentTypes: ['DELIVERY'] }),
    ]);
    expect((await readContext(other)).paymentMethods).toEqual([]);
    expect(refusal).toMatchObject({
      status: 422,
      errors: [
        { field: 'availability.0.organizationId', code: 'not_found' },
        { field: 'availability.2.organizationId', code: 'duplicate' },
      ],
    });
    expect(listed.items.map((item) => [item.code, item.needsPaymentPort])).toEqual([
      ['CASH', false],
      ['CARD_COURIER', false],
      ['CARD_ONLINE', true],
      ['SBP', true],
      ['SBERPAY', true],
    ]);
    await clearPayment();
    await contextWhere(organization, (found) => found.paymentMethods.length === 1);
    const sending = `/connections/${connectionId}/order-sending`;
    await addRow(database.db, 'erp_choices', { connectionId, paymentTypes: [], discountTypes: [] });
    await admin.patch(sending, { version: 0, paymentTypes: {} });
    await contextWhere(organization, (found) => found.paymentMethods.length === 0);
    const unnamed = await admin.get<PaymentMethod>('/payment-methods/CARD_COURIER');
    await admin.patch(sending, { version: 0, paymentTypes: { CARD_COURIER: organization.erpId } });
    await contextWhere(organization, (found) => found.paymentMethods.length === 1);
    const named = await admin.get<PaymentMethod>('/payment-methods/CARD_COURIER');
    await deleteRows(database.db, 'erp_choices');

    expect(unnamed.missingAt).toEqual(unnamed.availability.map((entry) => entry.organizationId));
    expect(named.missingAt).toEqual([]);
  });
});

describe('a copy of another organization', () => {
  const parts = ['CONFIG', 'SCHEDULE', 'EXCEPTIONS', 'PAYMENT_METHODS'];
  const copy = (to: Place, from: Place, mode: 'PLAN' | 'APPLY') =>
    admin.post<OrderingCopy>(`/organizations/${to.erpId}/copy-ordering`, {
      fromOrganizationId: from.id,
      parts,
      mode,
    });
  const readEverything = async ({ id }: Place) => ({
    ordering: await admin.get<OrderingConfig>(`/organizations/${id}/ordering`),
    schedule: (await admin.get<OrderingSchedule>(`/organizations/${id}/schedule`)).windows,
    exceptions: (
      await admin.get<{ items: ScheduleException[] }>(`/organizations/${id}/schedule-exceptions`)
    ).items.map(({ kind, date, channel, windows, reason }) => ({
      kind,
      date,
      channel,
      windows,
      reason,
    })),
  });

  test('[FUL-21] changes nothing as a plan, applies it with an audit, and changes nothing a second time', async () => {
    const [from, to] = [await opened(), await place({ time_zone: 'Asia/Omsk' })];
    const exceptions = (organization: Place, body: object) =>
      admin.post(`/organizations/${organization.id}/schedule-exceptions`, body);
    await exceptions(from, { kind: 'CLOSED', date: '2098-12-31', reason: 'Ремонт' });
    await exceptions(from, { kind: 'CLOSED', date: '2020-12-31' });
    await exceptions(from, { kind: 'INTAKE_STOPPED', from: '2098-01-01T00:00:00Z' });
    await exceptions(to, { kind: 'CLOSED', date: '2098-12-30' });
    const { version } = await admin.get<PaymentMethod>('/payment-methods/SBP');
    const availability = [{ organizationId: from.id, fulfillmentTypes: ['PICKUP'] }];
    await admin.patch('/payment-methods/SBP', { version, availability });
    const before = await readEverything(to);
    const planned = await copy(to, from, 'PLAN');
    const unchanged = await readEverything(to);
    const applied = await copy(to, from, 'APPLY');
    const [source, copied] = [await readEverything(from), await readEverything(to)];
    const again = await copy(to, from, 'APPLY');
    const audit = await selectRows(
      database.db,
      'audit_entry',
      ['entityType as type', 'action'],
      { entityId: [String(to.id), 'SBP'], action: not('create') },
      { orderBy: 'id desc', limit: 3 },
    );

    expect(unchanged).toEqual(before);
    expect(planned.changes.map(({ part, field }) => `${part} ${field}`)).toEqual([
      'CONFIG deliveryEnabled',
      'CONFIG pickupEnabled',
      'SCHEDULE windows',
      'EXCEPTIONS 2098-12-31 ALL',
      'PAYMENT_METHODS SBP',
    ]);
    expect(applied).toEqual({ ...planned, mode: 'APPLY' });
    expect(copied).toMatchObject({
      ordering: {
        deliveryEnabled: true,
        pickupEnabled: true,
        timeZone: null,
        effectiveTimeZone: 'Asia/Omsk',
      },
      schedule: source.schedule,
      exceptions: [
        { kind: 'CLOSED', date: '2098-12-31', reason: 'Ремонт' },
        { kind: 'CLOSED', date: '2098-12-30' },
      ],
    });
    expect((await admin.get<PaymentMethod>('/payment-methods/SBP')).availability).toEqual([
      ...availability,
      { organizationId: to.id, fulfillmentTypes: ['PICKUP'] },
    ]);
    expect(again.changes).toEqual([]);
    expect(audit).toEqual([
      expect.objectContaining({ type: 'payment-method', action: 'copy' }),
      expect.objectContaining({ type: 'organization-schedule', action: 'update' }),
      expect.objectContaining({ type: 'organization-ordering', action: 'update' }),
    ]);
  });

  test('[FUL-21] omits exceptions of days that are over in the target organization', async () => {
    // A time zone whose date differs from UTC's at this hour.
    const now = new Date();
    const [zone, hours] = now.getUTCHours() < 12 ? ['Etc/GMT+12', -12] : ['Etc/GMT-14', 14];
    const day = (days: number) =>
      new Date(now.getTime() + hours * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
    const [from, to] = [await place(), await place({ time_zone: zone })];
    for (const date of [day(-1), day(0)])
      await admin.post(`/organizations/${from.id}/schedule-exceptions`, { kind: 'CLOSED', date });

    expect((await copy(to, from, 'PLAN')).changes.map(({ field }) => field)).toEqual([
      `${day(0)} ALL`,
    ]);
  });

  test('fails for the organization itself and for an unknown one', async () => {
    const { id } = await place();
    const from = async (fromOrganizationId: number) =>
      awaitRefusal(
        admin.raw('POST', `/organizations/${id}/copy-ordering`, {
          fromOrganizationId,
          parts,
          mode: 'PLAN',
        }),
      );

    expect(await from(id)).toMatchObject({
      status: 422,
      errors: [{ field: 'fromOrganizationId', code: 'invalid' }],
    });
    expect(await from(999_999)).toMatchObject({
      status: 422,
      errors: [{ field: 'fromOrganizationId', code: 'not_found' }],
    });
  });
});

test('[FUL-49] a moved organization loses its settings, and staff receive the command that copies them', async () => {
  const before = await opened();
  await updateRows(
    database.db,
    'mirror_organization',
    { inactiveAt: databaseNow() },
    { id: before.id },
  );
  const elsewhere = await rows.connection();
  const moved = await rows.organization(elsewhere, { erp_id: before.erpId, name: 'Набережная' });
  const stranger = await rows.organization(elsewhere);
  const told = () =>
    database.db.db
      .selectFrom('notification')
      .where('kind', '=', 'ORDERING_LEFT_BEHIND')
      .select((row) => [
        'subjectId as subject',
        row('resolvedAt', 'is', null).as('isOpen'),
        'details',
      ])
      .orderBy('id')
      .execute();
  await tellLeftBehind(database.db, [moved.id, stranger.id, before.id]);
  await tellLeftBehind(database.db, [moved.id]);
  const [open, ...others] = await told();
  const serve = async (now: Place, former: Place) => {
    await updateRows(
      database.db,
      'mirror_organization',
      { inactiveAt: databaseNow() },
      { id: former.id },
    );
    await updateRows(database.db, 'mirror_organization', { inactiveAt: null }, { id: now.id });
  };
  await serve(before, moved);
  await tellLeftBehind(database.db, [before.id]);
  const [back] = await told();
  await serve(moved, before);
  await tellLeftBehind(database.db, [moved.id]);
  const again = (await told()).at(-1);
  const { call, body } = (open!.details as { command: { call: string; body: object } }).command;
  await admin.post(call.replace('POST /api/admin/v1', ''), body);
  await tellLeftBehind(database.db, [moved.id]);
  const closed = await told();

  expect(others).toEqual([]);
  expect(open).toMatchObject({
    subject: String(moved.id),
    isOpen: true,
    details: {
      organization: 'Набережная',
      organizationErpId: before.erpId,
      fromOrganizationId: before.id,
    },
  });
  expect(await admin.get(`/organizations/${moved.id}/ordering`)).toMatchObject({
    deliveryEnabled: true,
  });
  expect([back!.isOpen, again!.isOpen, ...closed.map(({ isOpen }) => isOpen)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

test('[FUL-17] every edit changes the version tag of an organization', async () => {
  const { id, erpId } = await opened();
  const readMark = async () =>
    (await readMarks(database.db)).find((mark) => mark.erpId === erpId)!.mark;
  const seen = [await readMark()];
  const path = `/organizations/${id}/schedule-exceptions`;
  const edits: (() => Promise<unknown>)[] = [
    () => admin.patch(`/organizations/${id}/ordering`, { version: 1, horizonDays: 3 }),
    () => put(`/organizations/${id}/schedule`, { version: 1, windows: [] }),
    () => admin.post(path, { kind: 'CLOSED', date: '2026-12-31' }),
    () => admin.post(path, { kind: 'CLOSED', date: '2027-01-01' }),
    async () =>
      admin.patch(`/schedule-exceptions/${await firstException(id)}`, {
        version: 1,
        date: '2027-01-02',
      }),
    async () => admin.raw('DELETE', `/schedule-exceptions/${await firstException(id)}`),
    () => admin.post(path, { kind: 'CLOSED', date: '2027-01-03' }),
    () => updateRows(database.db, 'mirror_organization', { timeZone: 'UTC' }, { id }),
    () => updateRows(database.db, 'connection', { status: 'DISABLED' }, { id: connectionId }),
  ];
  for (const edit of edits) {
    await edit();
    seen.push(await readMark());
  }

  expect(new Set(seen).size).toBe(edits.length + 1);
});

async function firstException(organizationId: number): Promise<number> {
  const row = await selectRow(
    database.db,
    'schedule_exception',
    ['id'],
    { organizationId },
    { orderBy: 'id', limit: 1 },
  );
  return row.id;
}
