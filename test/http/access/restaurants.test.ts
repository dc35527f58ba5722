import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { adminClient, newcomerClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { addRow, deleteRows, not, updateRows } from '../../support/rows.ts';

type Place = Awaited<ReturnType<typeof createPlace>>;
type Request = { path?: string; query?: string; body?: object };

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let admin: AdminClient;
let manager: AdminClient;
let rows: MenuRows;
let own: Place;
let foreign: Place;
let chain: { notice: number; rule: number; discount: number; shared: number };

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  api = await startTestApi({ routes, database, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  [own, foreign] = [await createPlace(), await createPlace()];
  chain = {
    notice: (await admin.post<Created>('/notices', notice())).id,
    rule: (await admin.post<Created>('/expectation-rules', RULE)).id,
    discount: (await admin.post<Created>('/discounts', discount())).id,
    shared: (
      await admin.post<Created>(
        '/discounts',
        discount([own.organizationId, foreign.organizationId]),
      )
    ).id,
  };
  manager = await limitedTo([own.organizationId]);
});
afterAll(async () => {
  await api?.stop();
  await database?.close();
});

type Created = { id: number };
const DAY = '2026-11-20';
const RULE = { scope: 'GLOBAL', durationMinutes: 10 };
let serial = 0;
const unique = (name: string) => `${name}${(serial += 1)}`;
const notice = () => ({
  code: unique('N'),
  severity: 'INFO',
  title: 'T',
  text: 'Text',
  ttlSeconds: 60,
});
const discount = (organizationIds?: number[]) => ({
  code: unique('D'),
  name: 'D',
  percent: 10,
  organizationIds,
});
const soon = () => new Date(Date.now() + 3_600_000).toISOString();

/** A user whose requests only the restaurant limit can reject. */
async function limitedTo(organizationIds: number[] | null): Promise<AdminClient> {
  const email = `${unique('manager')}@carte.test`;
  const password = 'twelve letters at least';
  await admin.post('/users', {
    email,
    fullName: 'Manager',
    roles: ['ADMIN'],
    password,
    organizationIds,
  });
  return newcomerClient(api.url, email, password);
}

async function createPlace() {
  const place = await rows.restaurant();
  const { organizationId } = place;
  const dish = await rows.dish({ ...place, prices: { [organizationId]: 25_000 } });
  await rows.stop(organizationId, dish.erpId);
  await addRow(database.db, 'mirror_delivery_defaults', { organizationId });
  const zone = await rows.insert('mirror_delivery_zone', {
    organization_id: organizationId,
    name: 'Центр',
  });
  await rows.insert('mirror_terminal_group', {
    organization_id: organizationId,
    erp_id: randomUUID(),
    name: 'Касса',
    synchronized_at: new Date(),
  });
  await giftWithoutRight(place);
  await buildSnapshot(api.deps, organizationId);
  await putBusy(`/organizations/${organizationId}/busy`);
  const made = async (path: string, body: object) => (await admin.post<Created>(path, body)).id;
  const discountId = await made('/discounts', {
    ...discount([organizationId]),
    needsPromocode: true,
  });
  const notification = (fields: object) =>
    rows.insert('notification', {
      kind: 'ORDER_STUCK',
      severity: 'CRITICAL',
      subject_type: 'orders-of-connection',
      subject_id: unique('hour'),
      ...fields,
    });
  return {
    ...place,
    ...dish,
    zone,
    order: await rows.order(place),
    notification: await notification({
      details: JSON.stringify({ count: 1, members: [{ organizationId }] }),
    }),
    exception: await made(`/organizations/${organizationId}/schedule-exceptions`, {
      kind: 'CLOSED',
      date: DAY,
    }),
    override: await made('/zone-overrides', { zoneId: zone, minOrderSum: 500 }),
    rule: await made('/expectation-rules', { ...RULE, organizationId }),
    notice: await made('/notices', { ...notice(), organizationId }),
    discount: discountId,
    promocode: await made('/promocodes', { code: unique('P'), discountId }),
  };
}

async function putBusy(path: string, client: AdminClient = admin): Promise<void> {
  const response = await client.raw('PUT', path, { extraMinutes: 20, until: soon() });
  expect(response.status).toBe(200);
}

async function giftWithoutRight({
  connectionId,
  organizationErpId,
}: Awaited<ReturnType<MenuRows['restaurant']>>): Promise<void> {
  const erpItemId = randomUUID();
  const rewardId = await rows.insert('reward', {
    code: erpItemId,
    name: 'Тарт',
    erp_item_id: erpItemId,
  });
  const giftOrderId = await rows.insert('erp_gift_order', {
    connection_id: connectionId,
    erp_order_id: randomUUID(),
    organization_erp_id: organizationErpId,
    day: DAY,
    status: 'Closed',
    erp_timestamp: 1,
  });
  const line = {
    gift_order_id: giftOrderId,
    erp_item_id: erpItemId,
    erp_size_id: '',
    name: 'Тарт',
    quantity: 1,
  };
  await addRow(database.db, 'erp_gift_line', {
    giftOrderId,
    erpItemId,
    erpSizeId: '',
    name: 'Тарт',
    quantity: 1,
  });
  await rows.insert('unauthorized_gift', {
    ...line,
    kind: 'NO_RIGHT',
    reward_id: rewardId,
    found_at: new Date(),
  });
}

type Schema = { $ref?: string; properties?: Record<string, unknown> } & Record<string, unknown>;
type Operation = {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
  'x-restaurants'?: string;
};

const DOCUMENT = openApiDocument('admin', routes) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);
type Described = (typeof OPERATIONS)[number];

function namesRestaurant(value: unknown, seen = new Set<string>()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { $ref, properties = {}, ...rest } = value as Schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!;
    if (seen.has(name) || DOCUMENT.components.schemas[name] === undefined) return false;
    return namesRestaurant(DOCUMENT.components.schemas[name], seen.add(name));
  }
  return (
    Object.keys(properties).some((name) => /organization/i.test(name)) ||
    [
      ...Object.values(properties),
      ...Object.entries(rest).flatMap(([name, part]) => (/^examples?$/.test(name) ? [] : [part])),
    ].some((part) => namesRestaurant(part, seen))
  );
}

const isAboutRestaurant = ({ path, parameters, requestBody, responses }: Described): boolean =>
  path.includes('/organizations/') ||
  parameters.some(({ name }) => name === 'organization_id') ||
  namesRestaurant(requestBody) ||
  Object.entries(responses).some(([status, answer]) => status < '3' && namesRestaurant(answer));

/** Operations about restaurants that only users of the whole chain may call. */
const OF_CHAIN: readonly string[] = // Accounts, keys and webhooks concern all restaurants.
  (
    'createUser getUser listUsers updateUser createApiKey getApiKey listApiKeys updateApiKey rotateApiKey takeOverApiKey ' +
    'createWebhookEndpoint editWebhookEndpoint getWebhookEndpoint listWebhookEndpoints rotateWebhookEndpointSecret ' +
    // The catalog and the imports concern all restaurants.
    'bulkProducts bulkTriageErpItems createProduct editProduct getSyncRun getSyncStatus listSyncRuns listExternalMenus updateExternalMenu ' +
    'resendNotification acceptSyncRunShrink cancelSyncRun bulkBindingIncidents dismissBindingIncident snoozeBindingIncident startSyncRun ' +
    'getOrderSending editOrderSending editPaymentMethod ' +
    // The answer may contain any restaurant.
    'explainDelivery ' +
    // Gifts belong to clients, not to restaurants.
    'findClient getClient listDifferingOrders acceptGiftDay checkReward createReward editReward getReward listRewards explainCompensation settleUnauthorizedGift'
  ).split(' ');

const WINDOW = {
  dayOfWeek: 1,
  channel: 'DELIVERY',
  opensAt: '10:00',
  closesAt: '22:00',
  crossesMidnight: false,
};
const version = 1;

/** Requests that need more than the path and `organization_id`. */
const REQUESTS: Readonly<Record<string, (place: Place) => Request>> = {
  copyOrdering: ({ organizationId }) => ({
    body: { fromOrganizationId: organizationId, parts: ['CONFIG'], mode: 'PLAN' },
    path: `/organizations/${own.organizationId}/copy-ordering`,
  }),
  copyOrderingToMany: ({ organizationId }) => ({
    body: { toOrganizationIds: [organizationId], parts: ['CONFIG'], mode: 'PLAN' },
  }),
  createDiscount: ({ organizationId }) => ({ body: discount([organizationId]) }),
  createExpectationRule: ({ organizationId }) => ({ body: { ...RULE, organizationId } }),
  createGuestNotice: ({ organizationId }) => ({ body: { ...notice(), organizationId } }),
  createPromocode: (place) => ({ body: { code: unique('C'), discountId: place.discount } }),
  createScheduleException: () => ({ body: { kind: 'CLOSED', date: '2026-12-31' } }),
  createScheduleExceptions: ({ organizationId }) => ({
    body: { organizationIds: [organizationId], mode: 'APPLY', kind: 'CLOSED', date: '2027-01-01' },
  }),
  createZoneOverride: ({ zone }) => ({ body: { zoneId: zone, minOrderSum: 600 } }),
  bulkPromocodes: (place) => ({ body: { discountId: place.discount, count: 2 } }),
  cancelStaffOrder: ({ order }) => ({ path: `/orders/${order}/cancel`, body: { reason: 'Test' } }),
  deleteDiscount: (place) => ({ path: `/discounts/${place.discount}` }),
  deleteExpectationRule: ({ rule }) => ({ path: `/expectation-rules/${rule}` }),
  deleteGuestNotice: (place) => ({ path: `/notices/${place.notice}` }),
  deletePromocode: ({ promocode }) => ({ path: `/promocodes/${promocode}` }),
  deleteScheduleException: ({ exception }) => ({ path: `/schedule-exceptions/${exception}` }),
  deleteZoneOverride: ({ override }) => ({ path: `/zone-overrides/${override}` }),
  diffRevisions: () => ({ query: 'from=1' }),
  editDiscount: (place) => ({
    path: `/discounts/${place.discount}`,
    body: { version, name: 'New' },
  }),
  editExpectationRule: ({ rule }) => ({
    path: `/expectation-rules/${rule}`,
    body: { version, durationMinutes: 9 },
  }),
  editGuestNotice: (place) => ({
    path: `/notices/${place.notice}`,
    body: { version, title: 'New' },
  }),
  editOrdering: () => ({ body: { version: 0, phone: '+7 999 000 11 22' } }),
  editPromocode: ({ promocode }) => ({
    path: `/promocodes/${promocode}`,
    body: { version, isActive: false },
  }),
  editScheduleException: ({ exception }) => ({
    path: `/schedule-exceptions/${exception}`,
    body: { version, date: '2026-12-30' },
  }),
  eraseStaffOrder: ({ order }) => ({ path: `/orders/${order}/erase`, body: { reason: 'Test' } }),
  explainProduct: ({ productId, organizationId }) => ({
    path: `/products/${productId}/explain`,
    query: `organization_id=${organizationId}`,
  }),
  exportGiftDays: () => ({ query: `from=${DAY}&to=${DAY}` }),
  getDeliveryZone: ({ zone }) => ({ path: `/delivery-zones/${zone}` }),
  getDiscount: (place) => ({ path: `/discounts/${place.discount}` }),
  getExpectationRule: ({ rule }) => ({ path: `/expectation-rules/${rule}` }),
  getGuestNotice: (place) => ({ path: `/notices/${place.notice}` }),
  getNotification: ({ notification }) => ({ path: `/notifications/${notification}` }),
  getOrderDecision: ({ order }) => ({ path: `/orders/${order}/decision` }),
  getPromocode: ({ promocode }) => ({ path: `/promocodes/${promocode}` }),
  getRevision: ({ organizationId }) => ({ path: `/snapshots/${organizationId}/revisions/1` }),
  getStaffOrder: ({ order }) => ({ path: `/orders/${order}` }),
  listOrderAttempts: ({ order }) => ({ path: `/orders/${order}/attempts` }),
  getZoneOverride: ({ override }) => ({ path: `/zone-overrides/${override}` }),
  listGiftDays: () => ({ query: `from=${DAY}&to=${DAY}` }),
  pinRevision: () => ({ body: { revision: 1, reason: 'Test', until: soon() } }),
  previewSlots: () => ({ query: 'type=PICKUP' }),
  resolveNotification: ({ notification }) => ({ path: `/notifications/${notification}/resolve` }),
  readNotification: ({ notification }) => ({ path: `/notifications/${notification}/read` }),
  replaceSchedule: () => ({ body: { version: 0, windows: [WINDOW] } }),
  setOrganizationPayments: () => ({
    body: { version, methods: [{ code: 'CASH', fulfillmentTypes: [] }] },
  }),
  setBusyMode: () => ({ body: { extraMinutes: 20, until: soon() } }),
  sendOrderAgain: ({ order }) => ({
    path: `/orders/${order}/send-again`,
    body: { reason: 'Test' },
  }),
  settleOrderGifts: ({ order }) => ({
    path: `/orders/${order}/settle-gifts`,
    body: { outcome: 'CREATED', reason: 'Test' },
  }),
  unpinRevision: () => ({ body: { reason: 'Test' } }),
  updateDeliveryZone: ({ zone }) => ({
    path: `/delivery-zones/${zone}`,
    body: { version: 0, priority: 7 },
  }),
  updateZoneOverride: ({ override }) => ({
    path: `/zone-overrides/${override}`,
    body: { version, minOrderSum: 700 },
  }),
};

/** Operations that also return 404 for the user's own restaurant, whose order has no decision. */
const ABSENT = ['getOrderDecision'];

async function send(client: AdminClient, operation: Described, place: Place): Promise<Response> {
  const { path, query, body } = REQUESTS[operation.operationId]?.(place) ?? {};
  const filled = (path ?? operation.path).replaceAll(
    /\{(id|organization_id)\}/g,
    String(place.organizationId),
  );
  const isQueried = operation.parameters.some(
    (parameter) => parameter.in === 'query' && parameter.name === 'organization_id',
  );
  const queried = new URLSearchParams(query);
  if (isQueried) queried.set('organization_id', String(place.organizationId));
  return client.raw(operation.method, `${filled}?${queried.toString()}`, body);
}

const named = (words: readonly string[]) =>
  OPERATIONS.filter((operation) => words.includes(operation['x-restaurants'] ?? '')).map(
    (operation) => [operation.operationId, operation] as const,
  );
/** Excludes lists without a restaurant parameter. */
const TARGETED = [
  ...named(['NAMED', 'ROW']),
  ...named(['LISTED', 'SHARED']).filter(
    ([id, { parameters }]) =>
      (REQUESTS[id]?.({} as Place) !== undefined && id.endsWith('Notification')) ||
      parameters.some(({ name }) => name === 'organization_id'),
  ),
];

test('[ACC-61] every operation that names a restaurant declares its source', () => {
  const unscoped = OPERATIONS.filter(
    (operation) => operation['x-restaurants'] === 'CHAIN' && isAboutRestaurant(operation),
  ).map(({ operationId }) => operationId);
  expect(unscoped.toSorted()).toEqual(OF_CHAIN.toSorted());
  expect(OPERATIONS.filter(isAboutRestaurant).length).toBeGreaterThan(90);
  const unasked = named(['ROW']).filter(([id]) => REQUESTS[id] === undefined);
  expect(unasked.map(([id]) => id)).toEqual([]);
});

describe('[ACC-61] a user limited to one restaurant', () => {
  const order = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
  const sorted = TARGETED.toSorted(
    ([, a], [, b]) => order.indexOf(a.method) - order.indexOf(b.method),
  );

  test.each(sorted)(
    'receives 404 from %s for another restaurant, and works in the own one',
    async (id, operation) => {
      const refused = await send(manager, operation, foreign);
      expect({ status: refused.status, text: await refused.text() }).toMatchObject({ status: 404 });

      const allowed = await send(manager, operation, own);
      const text = await allowed.text();
      expect({ id, status: allowed.status, text }).not.toMatchObject({ status: 403 });
      expect(allowed.status).toBeLessThan(500);
      expect(allowed.status === 404).toBe(ABSENT.includes(id));
      expect(text).not.toContain(foreign.organizationErpId);
    },
  );

  const lists = named(['LISTED', 'SHARED']).filter(
    // The stream has no end; a separate test reads it (EVT-43).
    ([id, { method }]) => method === 'GET' && !id.endsWith('Notification') && id !== 'streamStaff',
  );
  test.each(lists)('sees only the own restaurant in %s', async (id, operation) => {
    const request = id === 'explainProduct' ? { query: 'all=true' } : REQUESTS[id]?.(own);
    const path = (REQUESTS[id]?.(own).path ?? operation.path).replaceAll(/\{[^}]*\}/g, (name) =>
      name === '{code}'
        ? 'CASH'
        : name === '{item_id}'
          ? String(own.itemId)
          : String(own.productId),
    );
    const response = await manager.raw('GET', `${path}?${request?.query ?? ''}`);
    const text = await response.text();
    expect(text).not.toContain(foreign.organizationErpId);
    expect(text).not.toMatch(
      new RegExp(`"organizationIds?":\\[?(\\d+,)*${foreign.organizationId}\\b`),
    );
    expect(response.status).toBeLessThan(500);
    expect(response.status).not.toBe(403);
  });

  const closed = named(['CHAIN']);
  test.each(closed)('cannot call %s', async (_, operation) => {
    const response = await manager.raw(
      operation.method,
      operation.path.replaceAll(/\{[^}]*\}/g, '1'),
    );
    expect(await response.json()).toMatchObject({
      status: 403,
      detail: 'Your access is limited to restaurants, and this concerns the whole chain.',
    });
  });

  test.each([
    ['orders', '/orders', 1],
    ['terminals', '/terminals', 1],
    ['stop-lists', '/stop-lists', 1],
    ['zones', '/delivery-zones', 1],
    ['zone overrides', '/zone-overrides', 1],
    ['gifts without a right', '/compensations/unauthorized', 1],
    ['organizations', '/organizations', 1],
    ['notifications', '/notifications', 1],
  ])('finds only the own %s, with their number', async (_, path, least) => {
    const page = await manager.get<{ items: unknown[]; total: number }>(path);
    expect(page.items.length).toBeGreaterThanOrEqual(least);
    expect(page.total).toBe(page.items.length);
    const all = await admin.get<{ total: number }>(path);
    expect(all.total).toBeGreaterThan(page.total);
  });

  test('sees data of the whole chain and cannot change it', async () => {
    for (const [path, id] of [
      ['/notices', chain.notice],
      ['/expectation-rules', chain.rule],
      ['/discounts', chain.discount],
      ['/discounts', chain.shared],
    ] as const) {
      const { items } = await manager.get<{ items: Created[] }>(path);
      expect(items.map((item) => item.id)).toContain(id);
      expect((await manager.raw('GET', `${path}/${id}`)).status).toBe(200);
      expect((await manager.raw('PATCH', `${path}/${id}`, { version })).status).toBe(403);
      expect((await manager.raw('DELETE', `${path}/${id}`)).status).toBe(403);
    }
  });

  test('[ACC-64] reads the own restaurants of a shared discount, and the number of the others', async () => {
    const [shared, whole, all] = [
      await manager.get(`/discounts/${chain.shared}`),
      await manager.get(`/discounts/${chain.discount}`),
      await admin.get(`/discounts/${chain.shared}`),
    ];
    const { items } = await manager.get<{ items: Created[] }>('/discounts?size=200');

    expect(shared).toMatchObject({ organizationIds: [own.organizationId], otherOrganizations: 1 });
    expect(whole).toMatchObject({ organizationIds: null, otherOrganizations: 0 });
    expect(all).toMatchObject({ otherOrganizations: 0 });
    expect(items.find(({ id }) => id === chain.shared)).toMatchObject({ otherOrganizations: 1 });
  });

  test('creates nothing for the whole chain', async () => {
    const made = (
      await manager.raw('POST', '/notices', { ...notice(), organizationId: own.organizationId })
    ).json();
    const { id } = (await made) as Created;
    for (const [method, path, body] of [
      ['POST', '/notices', notice()],
      ['POST', '/notices', { ...notice(), organizationId: null }],
      ['POST', '/discounts', discount()],
      ['PATCH', `/notices/${id}`, { version, organizationId: null }],
    ] as const)
      expect((await manager.raw(method, path, body)).status).toBe(403);
    const given = await manager.raw('PATCH', `/notices/${id}`, {
      version,
      organizationId: foreign.organizationId,
    });
    expect(given.status).toBe(404);
    const byUuid = await manager.raw('POST', '/notices', {
      ...notice(),
      organizationId: foreign.organizationErpId,
    });
    expect(byUuid.status).toBe(404);
  });

  test('links no promo code to a discount of another restaurant', async () => {
    const { id } = await manager.post<Created>('/promocodes', {
      code: unique('M'),
      discountId: await ownDiscount(),
    });
    const move = async (promocode: unknown, discountId: unknown) =>
      (await manager.raw('PATCH', `/promocodes/${String(promocode)}`, { version, discountId }))
        .status;

    expect(await move(id, foreign.discount)).toBe(404);
    expect(await move(id, 999_999)).toBe(404);
    expect(await move(foreign.promocode, await ownDiscount())).toBe(404);
  });

  test('reads notifications about several restaurants only with the own ones', async () => {
    const organizationErpIds = [own.organizationErpId, foreign.organizationErpId];
    const details = { code: 'TART', reasons: ['PRICE'], organizationErpIds };
    const id = await rows.insert('notification', {
      kind: 'GIFT_LIMITED',
      severity: 'INFO',
      subject_type: 'reward',
      subject_id: 'TART',
      details: JSON.stringify(details),
    });
    const shown = await manager.get<{ details: object }>(`/notifications/${id}`);
    const other = await manager.raw('GET', `/notifications/${foreign.notification}`);
    await deleteRows(api.deps.db, 'notification', { id });

    expect(shown.details).toEqual({ ...details, organizationErpIds: [own.organizationErpId] });
    expect(other.status).toBe(404);
  });

  test('reads only its own events', async () => {
    type Events = { items: { organizationId: number | null }[] };
    const idsOf = ({ items }: Events) => new Set(items.map(({ organizationId }) => organizationId));
    expect(idsOf(await manager.get<Events>('/events'))).toEqual(new Set([own.organizationId]));
    expect(idsOf(await admin.get<Events>('/events')).has(foreign.organizationId)).toBe(true);
  });

  test('sets and ends the busy mode of the own restaurant only', async () => {
    await putBusy(`/organizations/${foreign.organizationId}/busy`);
    await putBusy('/busy', manager);
    expect((await manager.raw('DELETE', '/busy')).status).toBe(204);
    const { items } = await admin.get<{ items: { organizationId: number }[] }>('/busy');
    expect(items.map(({ organizationId }) => organizationId)).toEqual([foreign.organizationId]);
  });
});

const ownDiscount = async () =>
  (
    await admin.post<Created>('/discounts', {
      ...discount([own.organizationId]),
      needsPromocode: true,
    })
  ).id;

describe('[ACC-61] an API key limited to restaurants', () => {
  const readStatus = async (token: string, id: number) =>
    (
      await fetch(`${api.url}/api/admin/v1/organizations/${id}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  type Key = { id: number; token: string; version: number };

  test('reaches the restaurants of its own list that its owner may reach', async () => {
    const fields = { name: 'Till', use: 'ADMIN', permissions: ['orders.read'] };
    const key = await admin.post<Key>('/api-keys', {
      ...fields,
      organizationIds: [own.organizationId],
    });
    expect(await readStatus(key.token, own.organizationId)).toBe(200);
    expect(await readStatus(key.token, foreign.organizationId)).toBe(404);

    const all = await admin.post<Key>('/api-keys', fields);
    expect(await readStatus(all.token, foreign.organizationId)).toBe(200);
    const [{ id: owner }] = (await admin.get<{ items: [Created] }>(`/users?q=${ADMIN.email}`))
      .items;
    await updateRows(
      database.db,
      'access_user',
      { organizationIds: [foreign.organizationId] },
      { id: owner },
    );
    const isRefused = async (token: string) =>
      (await readStatus(token, own.organizationId)) === 404 || undefined;
    await eventually('the limit of the owner applies', () => isRefused(all.token));
    await eventually('the limits are combined', () => isRefused(key.token));
    expect(await readStatus(all.token, foreign.organizationId)).toBe(200);
    await updateRows(database.db, 'access_user', { organizationIds: null }, { id: owner });
  });

  test('cannot be a storefront key with a list of restaurants', async () => {
    const refused = await admin.raw('POST', '/api-keys', {
      name: 'Shop',
      use: 'STOREFRONT',
      organizationIds: [own.organizationId],
    });
    expect(await refused.json()).toMatchObject({
      errors: [{ field: 'organizationIds', code: 'not_supported' }],
    });
  });
});

describe('[ACC-62] restaurant limits of a user', () => {
  test('apply from the next request and appear in /me', async () => {
    const client = await limitedTo(null);
    expect(await client.get('/me')).toMatchObject({ organizationIds: null });
    const { id } = await client.get<Created>('/me');
    const user = await admin.get<{ version: number }>(`/users/${id}`);
    const organizationIds = [foreign.organizationId, own.organizationId];
    expect(
      await admin.patch(`/users/${id}`, { version: user.version, organizationIds }),
    ).toMatchObject({
      organizationIds: organizationIds.toSorted((a, b) => a - b),
    });
    expect(await client.get<{ total: number }>('/organizations')).toMatchObject({ total: 2 });
    expect((await client.raw('GET', '/users')).status).toBe(403);
  });

  test('reject an unknown organization', async () => {
    const refused = await admin.raw('POST', '/users', {
      email: `${unique('nobody')}@carte.test`,
      fullName: 'Nobody',
      roles: ['VIEWER'],
      organizationIds: [999_999],
    });
    expect(await refused.json()).toMatchObject({
      errors: [{ field: 'organizationIds.0', code: 'not_found' }],
    });
  });

  test('require one administrator of the whole chain', async () => {
    const { db } = database;
    await updateRows(
      db,
      'access_user',
      { organizationIds: [own.organizationId] },
      { email: not(ADMIN.email) },
    );
    const { id } = await admin.get<Created>('/me');
    const { version: seen } = await admin.get<{ version: number }>(`/users/${id}`);
    const edit = { version: seen, organizationIds: [own.organizationId] };
    expect(await (await admin.raw('PATCH', `/users/${id}`, edit)).json()).toMatchObject({
      type: '/problems/last-administrator',
    });
  });
});

describe('[ACC-63] a user without a role', () => {
  test('reads names, addresses, telephones and time zones of restaurants', async () => {
    const { id, password, email } = await api.user('NONE');
    const nobody = await adminClient(api.url, email, password);
    expect(id).toBeGreaterThan(0);
    const { version: seen } = await admin.get<{ version: number }>(
      `/organizations/${foreign.organizationId}/ordering`,
    );
    await admin.patch(`/organizations/${foreign.organizationId}/ordering`, {
      version: seen,
      phone: '8 (999) 000-11-22',
      timeZone: 'Asia/Omsk',
    });

    const organization = await nobody.get(`/organizations/${foreign.organizationId}`);
    expect(organization).toMatchObject({
      id: foreign.organizationId,
      phone: '+79990001122',
      timeZone: null,
      effectiveTimeZone: 'Asia/Omsk',
    });
    const { items } = await nobody.get<{ items: object[] }>('/organizations');
    expect(items).toContainEqual(organization);
    expect((await nobody.raw('GET', '/terminals')).status).toBe(403);
    expect((await nobody.raw('GET', '/organizations/999999')).status).toBe(404);
  });
});
