import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { OR_UUID_KEYWORD } from '../../../kernel/pure/schemas.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { grantTo } from '../../support/rights.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { migratedDatabase } from '../../support/database.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { addRow } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let api: TestApi;
let admin: AdminClient;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let elsewhere: Awaited<ReturnType<MenuRows['restaurant']>>;
let rightId: string;
let productId: number;
let rows: MenuRows;

beforeAll(async () => {
  database = await migratedDatabase();
  rows = menuRows(database.db);
  [place, elsewhere] = [await rows.restaurant(), await rows.restaurant()];
  for (const entry of [place, elsewhere]) {
    const dish = await rows.dish({ ...entry, prices: { [entry.organizationId]: 25_000 } });
    productId = dish.productId;
    await rows.stop(entry.organizationId, dish.erpId);
    await rows.order(entry);
    await addRow(database.db, 'mirror_delivery_defaults', { organizationId: entry.organizationId });
    await rows.insert('mirror_delivery_zone', {
      organization_id: entry.organizationId,
      name: 'Центр',
    });
    await rows.insert('mirror_terminal_group', {
      organization_id: entry.organizationId,
      erp_id: randomUUID(),
      name: 'Касса',
      synchronized_at: new Date(),
    });
    await addRow(database.db, 'schedule_exception', {
      organizationId: entry.organizationId,
      kind: 'CLOSED',
      date: DAY,
      windows: [],
    } as never);
    await addRow(database.db, 'sync_run', {
      id: entry.organizationId,
      job: 'ZONES',
      connectionId: entry.connectionId,
      mode: 'FULL',
      trigger: 'SCHEDULE',
      status: 'SUCCESS',
    } as never);
    await rows.insert('binding_incident', {
      type: 'ITEM_MISSING',
      status: 'OPEN',
      severity: 'CRITICAL',
      evaluation: 1,
      product_id: dish.productId,
      variant_id: dish.variantId,
      last_known: { erpItemId: dish.erpId, sku: null, name: 'Суп', price: null, lastSeenAt: null },
    });
    await giftWithoutRight(entry);
    await differingOrder(entry);
  }
  api = await startTestApi({ routes, database });
  const clientId = await database.db.transaction((tx) =>
    ensureClient(tx, api.deps, { connectionId: place.connectionId, phone: '+79990001122' }),
  );
  const rewardId = await rows.insert('reward', {
    code: 'owed',
    name: 'Тарт',
    erp_item_id: randomUUID(),
  });
  rightId = await grantTo(database.db, { clientId, rewardId });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  for (const entry of [place, elsewhere]) await buildSnapshot(api.deps, entry.organizationId);
});
afterAll(async () => {
  await api.stop();
  await database.close();
});

async function differingOrder({ connectionId, organizationErpId }: typeof place): Promise<void> {
  const erpItemId = randomUUID();
  await rows.insert('reward', { code: erpItemId, name: 'Тарт', erp_item_id: erpItemId });
  const order = {
    connectionId,
    erpOrderId: randomUUID(),
    organizationErpId,
    day: DAY,
    status: 'Closed',
  };
  const { id: giftOrderId } = await addRow(database.db, 'erp_gift_order', {
    ...order,
    erpTimestamp: 1,
  });
  await addRow(database.db, 'erp_gift_line', {
    giftOrderId,
    erpItemId,
    erpSizeId: '',
    name: 'Тарт',
    quantity: 1,
  });
}

async function giftWithoutRight({ connectionId, organizationErpId }: typeof place): Promise<void> {
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

const properties = (schema: object | undefined) =>
  (schema as { properties?: Record<string, Record<string, unknown>> } | undefined)?.properties ??
  {};
const OPERATIONS = routes.flatMap((route) => {
  const inPath = properties(route.params)['organization_id'];
  const schema = inPath ?? properties(route.query)['organization_id'];
  return route.api === 'admin' && schema !== undefined
    ? [{ route, schema, isInPath: inPath !== undefined }]
    : [];
});

const BODIES: Readonly<Record<string, object>> = {
  pinRevision: {
    revision: 999,
    reason: 'Проверка',
    until: new Date(Date.now() + 3_600_000).toISOString(),
  },
  unpinRevision: { reason: 'Проверка' },
};

const DAY = '2026-11-20';
/** Parameters that operations need in addition to the organization. */
const QUERIES: Readonly<Record<string, Record<string, string>>> = {
  diffRevisions: { from: '1' },
  listGiftDays: { from: DAY, to: DAY },
  exportGiftDays: { from: DAY, to: DAY },
  listDifferingOrders: { date: DAY },
};

/** Returns the answer without values that differ by request. */
async function send(
  { route, isInPath }: (typeof OPERATIONS)[number],
  organization: string | number,
) {
  const path = route.path
    .replace('{organization_id}', String(organization))
    .replace('{id}', route.operationId === 'explainCompensation' ? rightId : String(productId))
    .replace('{revision}', '1');
  const query = new URLSearchParams({
    ...(isInPath ? {} : { organization_id: String(organization) }),
    ...QUERIES[route.operationId],
  });
  const response = await admin.raw(
    route.method,
    `${path}?${query.toString()}`,
    BODIES[route.operationId],
  );
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('text/csv') === true)
    return { status: response.status, body: text };
  const {
    instance: _,
    requestId: __,
    explainedAt: ___,
    previewedAt: ____,
    checkedAt: _____,
    ...body
  } = JSON.parse(text) as Record<string, unknown>;
  return { status: response.status, body };
}

test('at least the tested operations have an organization as parameter', () => {
  expect(OPERATIONS.map(({ route }) => route.operationId).toSorted()).toEqual(
    expect.arrayContaining([
      'diffRevisions',
      'explainProduct',
      'getRevision',
      'getSnapshot',
      'listProducts',
      'listRevisions',
      'listStopLists',
      'listTerminals',
      'pinRevision',
      'unpinRevision',
    ]),
  );
});

describe.each(OPERATIONS.map((entry) => [entry.route.operationId, entry] as const))(
  '%s',
  (_, operation) => {
    test('accepts the number of an organization or its uuid, and answers equally', async () => {
      const byNumber = await send(operation, place.organizationId);

      expect(operation.schema[OR_UUID_KEYWORD]).toBe(true);
      expect(byNumber.status).toBeLessThan(500);
      expect(await send(operation, place.organizationErpId)).toEqual(byNumber);
      expect(await send(operation, place.organizationErpId.toUpperCase())).toEqual(byNumber);
      const other = await send(operation, elsewhere.organizationId);
      expect(await send(operation, elsewhere.organizationErpId)).toEqual(other);
      const mayBeEqual = byNumber.status !== 200 || operation.route.operationId === 'diffRevisions';
      expect(mayBeEqual || !isDeepStrictEqual(other, byNumber)).toBe(true);
    });

    test('answers equally for an unknown uuid and an unknown number, and rejects other values', async () => {
      const unknown = await send(operation, 999_999);

      expect(await send(operation, randomUUID())).toEqual(unknown);
      expect(unknown).not.toEqual(await send(operation, place.organizationId));
      for (const wrong of ['abc', '1e3', `${place.organizationErpId}0`]) {
        const refused = await send(operation, wrong);
        expect(refused.status).toBe(422);
        expect(refused.body).toMatchObject({
          errors: [
            { field: 'organization_id', code: 'type', message: 'must be integer or a uuid' },
          ],
        });
      }
      expect((await send(operation, 0)).status).toBe(422);
    });
  },
);

test('a uuid that guests cannot see refers to the organization imported last', async () => {
  const connections = [await rows.connection('DISABLED'), await rows.connection('DISABLED')];
  const erp_id = randomUUID();
  await rows.organization(connections[0]!, { erp_id, inactive_at: new Date() });
  const last = await rows.organization(connections[1]!, { erp_id, inactive_at: new Date() });

  expect(await admin.get(`/snapshots/${erp_id}`)).toMatchObject({ organizationId: last.id });
});

function organizationFields(
  schema: Shape | undefined,
  path: string,
): { path: string; schema: Shape }[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, member]) => {
    const inner = (member.anyOf ?? [member]).flatMap((shape) => shape.items ?? shape);
    return [
      ...(/organizationIds?$/i.test(name) ? [{ path: `${path}.${name}`, schema: inner[0]! }] : []),
      ...inner.flatMap((shape) => organizationFields(shape, `${path}.${name}`)),
    ];
  });
}
type Shape = {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  [OR_UUID_KEYWORD]?: boolean;
};
const FIELDS = routes.flatMap((route) =>
  route.api === 'admin'
    ? organizationFields(route.body as Shape | undefined, route.operationId)
    : [],
);

test('every body with an organization accepts its number or its uuid', () => {
  expect(FIELDS.length).toBeGreaterThanOrEqual(12);
  expect(FIELDS.filter(({ schema }) => schema[OR_UUID_KEYWORD] !== true)).toEqual([]);
});

describe('a body with organizations', () => {
  const rule = (organizationId: number | string) =>
    admin.post('/expectation-rules', { scope: 'GLOBAL', durationMinutes: 10, organizationId });

  test('accepts the uuid of an organization', async () => {
    expect(await rule(place.organizationErpId.toUpperCase())).toMatchObject({
      organizationId: place.organizationId,
    });
  });

  test('accepts several in a list, or one per element, by numbers and uuids', async () => {
    const discount = { code: 'ОБЕ', name: 'Обе', percent: 10 };
    const both = [place.organizationErpId, elsewhere.organizationId];
    expect(await admin.post('/discounts', { ...discount, organizationIds: both })).toMatchObject({
      organizationIds: [place.organizationId, elsewhere.organizationId],
    });

    const { version } = await admin.get<{ version: number }>('/payment-methods/CASH');
    const availability = both.map((organizationId) => ({
      organizationId,
      fulfillmentTypes: ['PICKUP'],
    }));
    const sorted = [place.organizationId, elsewhere.organizationId].toSorted((a, b) => a - b);
    const edited = await admin.patch<{ availability: { organizationId: number }[] }>(
      '/payment-methods/CASH',
      {
        version,
        availability,
      },
    );
    expect(
      edited.availability.map((entry) => entry.organizationId).toSorted((a, b) => a - b),
    ).toEqual(sorted);
  });

  test('means the same organizations wherever the body contains them', async () => {
    const hidden = { isVisible: false, organizationIds: [place.organizationErpId] };
    await admin.post('/products/bulk', {
      productIds: [productId],
      action: 'SET_VISIBILITY',
      payload: hidden,
    });

    expect(await admin.get(`/products/${productId}`)).toMatchObject({
      organizationVisibility: [{ organizationId: place.organizationId, isVisible: false }],
    });
  });

  test('fails for an unknown uuid like for an unknown number, with the field', async () => {
    for (const unknown of [randomUUID(), 999_999]) {
      const refused = await admin.raw('POST', '/expectation-rules', {
        scope: 'GLOBAL',
        durationMinutes: 10,
        organizationId: unknown,
      });
      expect(refused.status).toBe(422);
      expect(await refused.json()).toMatchObject({
        errors: [{ field: 'organizationId', code: 'not_found' }],
      });
    }
    const text = await admin.raw('POST', '/expectation-rules', {
      scope: 'GLOBAL',
      durationMinutes: 10,
      organizationId: 'abc',
    });
    expect(await text.json()).toMatchObject({
      status: 422,
      errors: [{ field: 'organizationId', code: 'type' }],
    });
  });
});
