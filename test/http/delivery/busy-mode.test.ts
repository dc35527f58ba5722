import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { BusyMode, BusyModeList } from '../../../modules/delivery/schemas/busy-mode.ts';
import type { StorefrontContext } from '../../../modules/delivery/schemas/context.ts';
import type { DeliverySlots } from '../../../modules/delivery/schemas/hours.ts';
import { endDueBusyModes } from '../../../modules/delivery/busy-mode/end-busy-mode.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { eventually } from '../../support/processes.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { startStorefront, type Storefront } from '../../support/storefront.ts';
import { above, databaseNow, selectRows, updateRows } from '../../support/rows.ts';

type Place = { id: number; erpId: string };

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rows: MenuRows;
let api: Storefront;
let admin: AdminClient;
let connectionId: number;
let moscow: Place;
let omsk: Place;
let audited = 0;
const lastEntry = async () =>
  (await selectRows(database.db, 'audit_entry', ['id'], {}, { orderBy: 'id desc', limit: 1 }))[0]
    ?.id ?? 0;
beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  connectionId = await rows.connection();
  moscow = await openPlace('Europe/Moscow');
  omsk = await openPlace('Asia/Omsk');
  api = await startStorefront(database, { routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(async () => {
  await api?.stop();
  await database?.close();
});
beforeEach(async () => {
  await admin.raw('DELETE', '/busy');
  audited = await lastEntry();
});

async function openPlace(timeZone: string): Promise<Place> {
  const place = await rows.organization(connectionId, { time_zone: timeZone });
  await openForOrders(database.db, place.id);
  return place;
}

const busyPath = ({ id }: Place) => `/organizations/${id}/busy`;
const put = async <T>(path: string, body: object): Promise<T> => {
  const answer = await admin.raw('PUT', path, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
};
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const read = async <T>(path: string) =>
  (await (await fetch(`${api.url}/api/v1${path}`)).json()) as T;
const readContext = ({ erpId }: Place) =>
  read<StorefrontContext>(`/context?organization_id=${erpId}`);
const readSlots = ({ erpId }: Place) =>
  read<DeliverySlots>(`/delivery/slots?organization_id=${erpId}&type=PICKUP`);
const contextWhere = (place: Place, holds: (context: StorefrontContext) => boolean) =>
  eventually('guests see the change', async () => {
    const context = await readContext(place);
    return holds(context) ? context : undefined;
  });
const hasMinutes = (minutes: number) => (context: StorefrontContext) =>
  context.eta.pickup.minutes === minutes;
const readEntries = ({ id }: Place) =>
  selectRows(
    database.db,
    'audit_entry',
    ['action', 'before', 'after'],
    { entityType: 'busy-mode', entityId: String(id), id: above(audited) },
    { orderBy: 'id' },
  );

test('[FUL-66] estimates and slots follow a busy mode and its end immediately', async () => {
  const usual = await readContext(moscow);
  const usualSlots = await readSlots(moscow);
  const wanted = { extraMinutes: 60, until: inMinutes(90) };
  const mode = await put<BusyMode>(busyPath(moscow), wanted);
  const busy = await contextWhere(moscow, hasMinutes(80));
  const slots = await readSlots(moscow);
  const other = await readContext(omsk);
  const stored = await admin.get<BusyMode>(busyPath(moscow));
  const list = await admin.get<{ items: BusyMode[]; total: number }>('/busy');
  const ended = await admin.raw('DELETE', busyPath(moscow));
  const afterwards = await contextWhere(moscow, hasMinutes(20));

  expect(usual.eta.pickup.minutes).toBe(20);
  expect(mode).toEqual({ organizationId: moscow.id, ...wanted, updatedAt: expect.any(String) });
  expect([stored, list.items]).toEqual([mode, [mode]]);
  expect(busy.eta.delivery.minutes).toBe(usual.eta.delivery.minutes + 60);
  expect(slots.asap.etaMinutes).toBe(80);
  expect(slots.days[0]!.slots.length).toBeLessThan(
    usualSlots.days[0]!.slots.length + usualSlots.days[1]!.slots.length,
  );
  expect(
    slots.days.flatMap((day) => day.slots)[0]!.id >
      usualSlots.days.flatMap((day) => day.slots)[0]!.id,
  ).toBe(true);
  expect(other.eta.pickup.minutes).toBe(20);
  expect(ended.status).toBe(204);
  expect(afterwards.notices).toEqual([]);
  expect(await admin.get(busyPath(moscow))).toEqual({
    organizationId: moscow.id,
    extraMinutes: null,
    until: null,
    updatedAt: null,
  });
});

test('[FUL-67] guests see a notice with the end in the time zone of the organization', async () => {
  const until = inMinutes(120);
  await put(busyPath(omsk), { extraMinutes: 20, until });
  const { notices } = await contextWhere(omsk, (context) => context.notices.length > 0);
  const end = new Intl.DateTimeFormat('ru', {
    timeZone: 'Asia/Omsk',
    hour: '2-digit',
    minute: '2-digit',
  });

  expect(notices).toEqual([
    {
      code: 'BUSY_MODE',
      severity: 'INFO',
      title: 'Много заказов',
      text: `До ${end.format(new Date(until))} заказы занимают примерно на 20 мин больше.`,
      ttlSeconds: 900,
    },
  ]);
});

test('[FUL-91] a busy mode keeps the slots that begin after its end', async () => {
  const usual = await readSlots(moscow);
  const end = Date.now() + 40 * 60_000;
  await put(busyPath(moscow), { extraMinutes: 180, until: new Date(end).toISOString() });
  await contextWhere(moscow, hasMinutes(200));
  const busy = await readSlots(moscow);
  await admin.raw('DELETE', busyPath(moscow));
  await contextWhere(moscow, hasMinutes(20));
  const listStarts = ({ days }: DeliverySlots) =>
    days.flatMap((day) => day.slots.map(({ id }) => id));

  expect(listStarts(usual).filter((id) => Date.parse(id.split('/')[0]!) < end)).not.toEqual([]);
  expect(listStarts(busy)).toEqual(
    listStarts(usual).filter((id) => Date.parse(id.split('/')[0]!) >= end),
  );
});

test('[FUL-68] all organizations are busy until the same local time', async () => {
  // This time comes in four hours in Moscow, and in one hour in Omsk.
  const inMoscow = Temporal.Now.plainTimeISO('Europe/Moscow').add({ hours: 4 });
  const until = inMoscow.toString({ smallestUnit: 'minute' });
  const { items } = await put<BusyModeList>('/busy', { extraMinutes: 30, until });
  const ends = items.map(({ organizationId, until: end }) => {
    const timeZone = organizationId === moscow.id ? 'Europe/Moscow' : 'Asia/Omsk';
    return new Date(end!).toLocaleTimeString('ru', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
    });
  });
  await Promise.all([moscow, omsk].map((place) => contextWhere(place, hasMinutes(50))));
  await admin.raw('DELETE', '/busy');
  await Promise.all([moscow, omsk].map((place) => contextWhere(place, hasMinutes(20))));

  expect(items.map((mode) => mode.organizationId)).toEqual(
    [moscow.id, omsk.id].toSorted((a, b) => a - b),
  );
  expect(ends).toEqual([until, until]);
  expect((await readEntries(omsk)).map(({ action }) => action)).toEqual(['create', 'delete']);
});

test.each<[string, object, string, string]>([
  ['fewer than 5 minutes', { extraMinutes: 4, until: '21:00' }, 'extraMinutes', 'min'],
  ['more than 180 minutes', { extraMinutes: 181, until: '21:00' }, 'extraMinutes', 'max'],
  ['a time that no clock has', { extraMinutes: 20, until: '24:00' }, 'until', 'format'],
  ['a moment that has passed', { extraMinutes: 20, until: '2026-01-01T00:00:00Z' }, 'until', 'min'],
  [
    'a moment after more than a day',
    { extraMinutes: 20, until: '2099-01-01T00:00:00Z' },
    'until',
    'max',
  ],
  [
    'a date that does not exist',
    { extraMinutes: 20, until: '2099-19-01T00:00:00Z' },
    'until',
    'invalid',
  ],
])('[FUL-68] a busy mode cannot have %s', async (_, body, field, code) => {
  for (const path of [busyPath(moscow), '/busy'])
    expect(await awaitRefusal(admin.raw('PUT', path, body))).toMatchObject({
      status: 422,
      errors: [{ field, code }],
    });
  expect(await admin.get('/busy')).toMatchObject({ total: 0 });
});

test('[FUL-69] a busy mode ends at its time even while its row exists', async () => {
  await put(busyPath(moscow), { extraMinutes: 60, until: inMinutes(60) });
  await contextWhere(moscow, hasMinutes(80));
  await updateRows(
    database.db,
    'busy_mode',
    { until: databaseNow() },
    { organizationId: moscow.id },
  );
  await database.db.query(`select pg_notify('carte_ordering', '')`);
  const context = await contextWhere(moscow, hasMinutes(20));

  expect(context.notices).toEqual([]);
  expect(await admin.get(busyPath(moscow))).toMatchObject({ extraMinutes: null });
  expect(await selectRows(database.db, 'busy_mode', ['organizationId'])).toEqual([
    { organizationId: moscow.id },
  ]);
});

test('[FUL-71] an equal request writes nothing, and another request replaces the busy mode', async () => {
  const wanted = { extraMinutes: 20, until: inMinutes(60) };
  const first = await put<BusyMode>(busyPath(moscow), wanted);
  const second = await put<BusyMode>(busyPath(moscow), wanted);
  await put(busyPath(moscow), { ...wanted, extraMinutes: 40 });
  await admin.raw('DELETE', busyPath(moscow));
  const again = await admin.raw('DELETE', busyPath(moscow));
  const [short, long] = [wanted, { ...wanted, extraMinutes: 40 }];

  expect(second).toEqual(first);
  expect(again.status).toBe(204);
  expect(await readEntries(moscow)).toEqual([
    { action: 'create', before: null, after: short },
    { action: 'update', before: short, after: long },
    { action: 'delete', before: long, after: null },
  ]);
});

test('[FUL-71] the last of several concurrent requests applies, and the audit contains all in order', async () => {
  const until = inMinutes(60);
  const minutes = [10, 20, 30, 40, 50, 60];
  await Promise.all(minutes.map((extraMinutes) => put(busyPath(moscow), { extraMinutes, until })));
  const entries = await readEntries(moscow);
  const stored = await admin.get<BusyMode>(busyPath(moscow));

  expect(entries).toHaveLength(minutes.length);
  expect(entries.map(({ before }) => before)).toEqual([
    null,
    ...entries.slice(0, -1).map(({ after }) => after),
  ]);
  expect(entries.at(-1)!.after).toEqual({ extraMinutes: stored.extraMinutes, until: stored.until });
});

test('[FUL-70] a busy mode that is set again at its end does not end', async () => {
  const until = inMinutes(60);
  await put(busyPath(moscow), { extraMinutes: 10, until });
  await updateRows(
    database.db,
    'busy_mode',
    { until: databaseNow() },
    { organizationId: moscow.id },
  );
  const [mode] = await Promise.all([
    put<BusyMode>(busyPath(moscow), { extraMinutes: 25, until }),
    endDueBusyModes(database),
    endDueBusyModes(database),
  ]);

  expect(mode).toMatchObject({ extraMinutes: 25, until });
  expect(await admin.get(busyPath(moscow))).toEqual(mode);
});
