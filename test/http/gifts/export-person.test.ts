import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { keepPersonal } from '../../../modules/access/customers/personal-data.ts';
import { keepReason } from '../../../modules/access/customers/staff-reasons.ts';
import { CLIENT_TABLES } from '../../../modules/gifts/clients/client-records.ts';
import { ensureClient, phoneDigest } from '../../../modules/gifts/clients/clients.ts';
import { noteCandidates } from '../../../modules/gifts/cards/note-candidates.ts';
import { saveCart } from '../../../modules/ordering/cart/cart-row.ts';
import type { OrderPersonal } from '../../../modules/ordering/orders/order-personal.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { readAudit } from '../../support/audit.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { grantTo, rightsFixture } from '../../support/rights.ts';
import { addRow, databaseNow } from '../../support/rows.ts';

type Exported = { phone: string; records: Record<string, Record<string, unknown>[]> };

const PHONE = '+79990005566';
const ACCOUNT = 'account-of-anna';
let api: TestApi;
let admin: AdminClient;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
let clientId: string;
const [ownOrder, erpOrder] = [randomUUID(), randomUUID()];
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  fixture = await rightsFixture(api.deps.db);
  const { db } = api.deps;
  const { organizationId, connectionId } = await fixture.rows.restaurant();
  const kept = await db.transaction(async (tx) => {
    clientId = await ensureClient(tx, api.deps, {
      connectionId: fixture.connectionId,
      phone: PHONE,
    });
    const personal: OrderPersonal = {
      customer: { name: 'Анна', phone: PHONE },
      address: null,
      comment: 'Не звонить',
      lineComments: {},
    };
    return {
      order: await keepPersonal(tx, api.deps, 'ORDER', personal, {
        phoneDigest: phoneDigest(api.deps, PHONE),
      }),
      comment: await keepReason(tx, api.deps, 'Курьер опоздал к Анне'),
      aboutOrder: await keepReason(tx, api.deps, 'Анна просила отменить'),
    };
  });
  await grantTo(db, { clientId, rewardId: fixture.rewardId, reasonCommentId: kept.comment });
  await fixture.grant();
  await db.transaction((tx) =>
    noteCandidates(
      tx,
      api.deps,
      {
        clientId,
        connectionId: fixture.connectionId,
        organizationId,
        customer: { id: randomUUID(), comment: 'promised a free gift', categories: [] },
        askedAt: new Date(),
      },
      ['free gift'],
    ),
  );
  const order = {
    connectionId,
    organizationId,
    fulfillmentType: 'PICKUP' as const,
    persons: 1,
    timeZone: 'UTC',
    number: '1',
  };
  await addRow(db, 'customer_order', {
    ...order,
    id: ownOrder,
    day: '2026-11-20',
    cartId: randomUUID(),
    cartVersion: 1,
    slotId: 'asap',
    dueAt: databaseNow(),
    etaMinutes: 20,
    paymentMethod: 'CASH',
    leaveAtDoor: false,
    subtotalKopecks: 100,
    discountKopecks: 0,
    deliveryFeeKopecks: 0,
    totalKopecks: 100,
    state: 'CLOSED',
    acceptedAt: databaseNow(),
    sendUntil: databaseNow(),
    endedAt: databaseNow(),
    erpOrderId: randomUUID(),
    personalDataId: kept.order,
    customerId: ACCOUNT,
  });
  await createAccount(organizationId, ACCOUNT);
  await createAccount(organizationId, 'customer-of-another-phone');
  await addRow(db, 'order_line', {
    orderId: ownOrder,
    position: 0,
    kind: 'ITEM',
    erpItemId: randomUUID(),
    name: 'Суп',
    quantity: 1,
    basePriceKopecks: 100,
    unitPriceKopecks: 100,
    lineTotalKopecks: 100,
  });
  await addRow(db, 'audit_entry', {
    actorType: 'SYSTEM',
    actorName: 'test',
    entityType: 'order',
    entityId: ownOrder,
    action: 'cancel',
    reasonId: kept.aboutOrder,
  });
  await addRow(db, 'erp_order', {
    ...order,
    id: erpOrder,
    erpTimestamp: 1,
    state: 'CLOSED',
    placedAt: databaseNow(),
    isAsap: true,
    totalKopecks: 0,
    lines: [],
    moves: [],
    phoneDigest: phoneDigest(api.deps, PHONE),
  });
});
afterAll(() => api.stop());

/** Adds a cart, an address and, for Anna, a personal promo code. */
async function createAccount(organizationId: number, customerId: string): Promise<void> {
  const { deps } = api;
  const line = {
    lineId: randomUUID(),
    variantId: 1,
    productId: 1,
    itemId: randomUUID(),
    name: 'Суп',
    variantName: null,
    quantity: 1,
    modifiers: [],
    unitPriceKopecks: 100,
    seenPriceKopecks: 100,
    comment: 'Без лука',
  };
  await deps.db.transaction(async (tx) => {
    await saveCart(tx, deps, {
      id: randomUUID(),
      customerId,
      organizationId,
      lines: [line],
      promocode: null,
      options: { leaveAtDoor: false, cutlery: 0, sugar: 0 },
      giftChoices: [],
      changes: [],
      delivery: null,
      answered: '',
      updatedAt: new Date(),
      version: 1,
    });
    const parts = { city: 'Омск', street: 'Ленина', house: '1' };
    const personalDataId = await keepPersonal(tx, deps, 'ADDRESS', { parts, coords: null });
    await tx.db
      .insertInto('delivery_address')
      .values({ id: randomUUID(), customerId, personalDataId })
      .execute();
  });
  if (customerId !== ACCOUNT) return;
  const { id: discountId } = await addRow(deps.db, 'discount', {
    code: 'ANNA',
    name: 'Анне',
    kind: 'PERCENT',
    value: 10,
  });
  await addRow(deps.db, 'promocode', { code: 'ANNA', discountId, customerId });
}

const exportPerson = (body: object = {}) =>
  admin.post<Exported>('/clients/export', { phone: PHONE, reason: 'A request by letter', ...body });

test('[CLI-8] the export contains gifts, orders and texts about a person in plain text, and no others', async () => {
  const { phone, records } = await exportPerson({ phone: '8 (999) 000-55-66' });
  const nobody = await exportPerson({ phone: '+79990005567' });

  expect(phone).toBe(PHONE);
  expect(records).toMatchObject({
    compensation_client: [{ id: clientId, personalDataText: { phone: PHONE } }],
    compensation: [{ clientId, status: 'GRANTED', reasonCommentText: 'Курьер опоздал к Анне' }],
    compensation_move: [{ move: 'GRANT' }],
    compensation_candidate: [
      { phrase: 'free gift', personalDataText: { text: expect.stringContaining('free gift') } },
    ],
    customer_order: [
      {
        id: ownOrder,
        personalDataText: { customer: { name: 'Анна', phone: PHONE }, comment: 'Не звонить' },
      },
    ],
    order_line: [{ orderId: ownOrder, name: 'Суп' }],
    order_reason: [{ text: 'Анна просила отменить' }],
    erp_order: [{ id: erpOrder }],
  });
  expect(JSON.stringify(records)).not.toContain(phoneDigest(api.deps, PHONE));
  expect(Object.values(nobody.records).flat()).toEqual([]);
});

test('[CLI-11] the account of the person adds its cart, addresses and promo codes in plain text', async () => {
  const { records } = await exportPerson({ customerId: ACCOUNT });
  const withoutAccount = await exportPerson();
  const others = await awaitRefusal(
    admin.raw('POST', '/clients/export', {
      phone: PHONE,
      reason: 'By letter',
      customerId: 'customer-of-another-phone',
    }),
  );

  expect(records).toMatchObject({
    cart: [{ customerId: ACCOUNT, lines: [{ name: 'Суп', comment: 'Без лука' }] }],
    delivery_address: [
      {
        customerId: ACCOUNT,
        personalDataText: { parts: { city: 'Омск', street: 'Ленина', house: '1' } },
      },
    ],
    promocode: [{ code: 'ANNA', customerId: ACCOUNT }],
    customer_order: [{ id: ownOrder, customerId: ACCOUNT }],
  });
  expect(withoutAccount.records).toMatchObject({ cart: [], delivery_address: [], promocode: [] });
  expect(others).toMatchObject({
    status: 422,
    errors: [{ field: 'customerId', code: 'not_found' }],
  });
});

test('[CLI-12] the export covers every table with the account of a customer', async () => {
  const tables = await api.deps.db.query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'customer_id'`,
  );
  const { records } = await exportPerson();

  expect(tables.length).toBeGreaterThan(3);
  expect(tables.map(({ name }) => name).filter((name) => !(name in records))).toEqual([]);
});

test('[CLI-9] the audit contains reason and record numbers, without the phone, and nothing is cached', async () => {
  const answer = await admin.raw('POST', '/clients/export', {
    phone: PHONE,
    reason: 'A request by letter',
  });
  const entries = await readAudit(api.deps, 'export', 'person');
  const stored = await api.deps.db.query<{ text: string }>(
    'select audit_entry::text as text from audit_entry',
  );

  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(entries.at(-1)).toMatchObject({
    action: 'export-person',
    reason: 'A request by letter',
    after: { records: { compensation: 1, customer_order: 1, erp_order: 1 } },
  });
  expect(stored.filter(({ text }) => text.includes(PHONE.slice(2)))).toEqual([]);
});

test('[CLI-9] the export requires a reason and a phone, and is limited to 20 per user and hour', async () => {
  const { email, password } = await api.user('ADMIN');
  const other = await adminClient(api.url, email, password);
  const ask = (body: object) =>
    other.raw('POST', '/clients/export', { phone: '+79990005567', reason: 'By letter', ...body });
  const blank = await awaitRefusal(ask({ reason: '  ' }));
  const noPhone = await awaitRefusal(ask({ phone: 'call me maybe' }));
  const statuses = [];
  for (let at = 0; at < 20; at += 1) statuses.push((await ask({})).status);
  const refused = await ask({});

  expect([blank, noPhone]).toMatchObject([
    { errors: [{ field: 'reason', code: 'required' }] },
    { errors: [{ field: 'phone', code: 'format' }] },
  ]);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
});

test('[CLI-10] the list of erasure covers every table with the id of a client or texts about them', async () => {
  const columns = await api.deps.db.query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and table_name in (select table_name from information_schema.columns
              where table_schema = 'public' and column_name = 'client_id')`,
  );
  const direct = CLIENT_TABLES.filter(({ of }) => of === 'client_id');
  const references = columns
    .filter(({ column }) => /^(reason(_comment)?|personal_data)_id$/.test(column))
    .map(({ table, column }) => `${table}.${column}`);

  expect(direct.map(({ table }) => table).toSorted()).toEqual(
    [...new Set(columns.map(({ table }) => table))].toSorted(),
  );
  expect(
    direct
      .flatMap(({ table, reasons, pieces }) =>
        [...reasons, ...pieces].map((reason) => `${table}.${reason}`),
      )
      .toSorted(),
  ).toEqual(references.toSorted());
});
