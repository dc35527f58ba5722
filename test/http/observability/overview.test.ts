import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { routes } from '../../../api/routes.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import type { Overview, Readiness } from '../../../modules/sync-status/schemas/overview.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { addRow } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
let open: Awaited<ReturnType<MenuRows['restaurant']>>;
let bare: typeof open;
const path = (place: typeof open) => `/organizations/${place.organizationId}`;
const put = async (url: string, body: object) => {
  const response = await admin.raw('PUT', url, body);
  expect({ url, status: response.status }).toEqual({ url, status: 200 });
};
/** A Monday, 12:00 in Moscow, and the midnight before it. */
const [NOON, MIDNIGHT] = ['2026-12-07T12:00:00+03:00', '2026-12-07T00:00:00+03:00'];

beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const { db } = api.deps;
  const rows = menuRows(db);
  [open, bare] = [await rows.restaurant(), await rows.restaurant()];
  const dish = await rows.dish({ ...open, prices: { [open.organizationId]: 25_000 } });
  await rows.stop(open.organizationId, dish.erpId);
  await rows.order(open);
  await rows.insert('mirror_terminal_group', {
    organization_id: open.organizationId,
    erp_id: randomUUID(),
    name: 'Касса',
    synchronized_at: new Date(),
  });
  await addRow(db, 'mirror_delivery_defaults', { organizationId: open.organizationId });
  await buildSnapshot(api.deps, open.organizationId);
  await admin.patch(`${path(open)}/ordering`, {
    version: 0,
    pickupEnabled: true,
    timeZone: 'Europe/Moscow',
  });
  const window = { opensAt: '10:00', closesAt: '22:00', crossesMidnight: false };
  await put(`${path(open)}/schedule`, {
    version: 0,
    windows: ['PICKUP', 'DINE_IN'].map((channel) => ({ dayOfWeek: 1, channel, ...window })),
  });
  const { version } = await admin.get<{ version: number }>(`${path(open)}/payment-methods`);
  await put(`${path(open)}/payment-methods`, {
    version,
    methods: [{ code: 'CASH', fulfillmentTypes: ['PICKUP'] }],
  });
  await put(`${path(open)}/busy`, {
    extraMinutes: 20,
    until: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await admin.post(`${path(open)}/schedule-exceptions`, {
    kind: 'INTAKE_STOPPED',
    channel: 'DELIVERY',
    from: MIDNIGHT,
  });
});
afterAll(() => api.stop());

const overviewAt = async (at: string, place: typeof open) => {
  const { organizations } = await admin.get<Overview>(
    `/organizations/overview?at=${encodeURIComponent(at)}`,
  );
  return organizations.find(({ organizationId }) => organizationId === place.organizationId);
};

describe('[FUL-92] the overview of restaurants', () => {
  test('shows what each restaurant does at a time', async () => {
    expect(await overviewAt(NOON, open)).toEqual({
      organizationId: open.organizationId,
      erpId: open.organizationErpId,
      name: expect.any(String),
      phone: null,
      timeZone: 'Europe/Moscow',
      open: true,
      nextChangeAt: expect.any(String),
      delivery: { enabled: false, accepting: false, reason: 'DISABLED', until: null },
      pickup: {
        enabled: true,
        accepting: true,
        reason: null,
        until: expect.stringMatching(/^2026-12-07T/),
      },
      busy: { extraMinutes: 20, until: expect.any(String) },
      intakeStops: [{ channel: 'DELIVERY', from: '2026-12-06T21:00:00.000Z', to: null }],
      stoppedItems: 1,
      menu: { revision: 1, ageSeconds: expect.any(Number), dirtySince: null },
      terminals: { awake: 1, total: 1 },
      openOrders: 1,
      missing: [],
    });
    expect(await overviewAt(MIDNIGHT, open)).toMatchObject({
      open: false,
      pickup: { accepting: false, until: '2026-12-07T07:00:00.000Z' },
    });
    expect(await overviewAt(NOON, bare)).toMatchObject({
      busy: null,
      menu: null,
      openOrders: 0,
      missing: ['TERMINALS', 'MENU', 'HOURS', 'PAYMENT_METHODS', 'SWITCHES'],
    });
  });

  test('needs three statements, however many restaurants there are', async () => {
    const countStatements = async (url: string) => {
      const before = api.statements();
      expect((await admin.raw('GET', url)).status).toBeLessThan(500);
      return api.statements() - before;
    };
    // For an unknown organization, a single statement follows the session's.
    const one = await countStatements('/organizations/999999');

    expect((await countStatements('/organizations/overview')) - one).toBe(2);
  });
});

describe('[FUL-93] the checklist of a restaurant', () => {
  test('names the next operation for each missing item', async () => {
    const { isReady, checklist } = await admin.get<Readiness>(`${path(bare)}/readiness`);
    const next = Object.fromEntries(checklist.map((item) => [item.code, item.next]));

    expect(isReady).toBe(false);
    expect(next).toEqual({
      CONNECTION: null,
      TERMINALS: 'POST /sync/run',
      MENU: 'POST /sync/run',
      HOURS: 'PUT /organizations/{id}/schedule',
      PAYMENT_METHODS: 'PUT /organizations/{id}/payment-methods',
      ZONES: null,
      SWITCHES: 'PATCH /organizations/{id}/ordering',
      TEST_ORDER: 'POST /orders',
    });
    expect(await admin.get<Readiness>(`${path(open)}/readiness`)).toMatchObject({ isReady: true });
    expect((await admin.raw('GET', '/organizations/999999/readiness')).status).toBe(404);
  });
});

describe('[FUL-94] the payment methods of a restaurant', () => {
  type Payments = { version: number; methods: { code: string; fulfillmentTypes: string[] }[] };
  const read = (place: typeof open) => admin.get<Payments>(`${path(place)}/payment-methods`);
  const findTypes = ({ methods }: Payments, code: string) =>
    methods.find((method) => method.code === code)?.fulfillmentTypes;

  test('can be edited without changing those of others', async () => {
    const { version } = await read(bare);
    await put(`${path(bare)}/payment-methods`, {
      version,
      methods: [{ code: 'CASH', fulfillmentTypes: ['DELIVERY'] }],
    });

    expect(findTypes(await read(bare), 'CASH')).toEqual(['DELIVERY']);
    expect(findTypes(await read(open), 'CASH')).toEqual(['PICKUP']);
    const { items } = await admin.get<{ items: object[] }>(
      '/audit?entity_type=payment-method&entity_id=CASH&size=1',
    );
    expect(items).toMatchObject([{ action: 'update', after: { availability: expect.any(Array) } }]);
    const stale = await admin.raw('PUT', `${path(bare)}/payment-methods`, {
      version,
      methods: [{ code: 'CASH', fulfillmentTypes: [] }],
    });
    expect(await stale.json()).toMatchObject({ status: 409, currentVersion: version + 1 });
    const { version: now } = await read(bare);
    await put(`${path(bare)}/payment-methods`, {
      version: now,
      methods: [{ code: 'CASH', fulfillmentTypes: [] }],
    });
    expect(findTypes(await read(bare), 'CASH')).toEqual([]);
  });

  test('cannot contain a payment method twice', async () => {
    const { version } = await read(bare);
    const cash = { code: 'CASH', fulfillmentTypes: [] };
    const refused = await admin.raw('PUT', `${path(bare)}/payment-methods`, {
      version,
      methods: [cash, cash],
    });

    expect(await refused.json()).toMatchObject({
      errors: [{ field: 'methods.1.code', code: 'duplicate' }],
    });
  });
});
