import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { raiseNotification } from '../../../modules/notifications/raise-notification.ts';
import { adminClient, newcomerClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { ago, addRow, updateRows } from '../../support/rows.ts';

type Work = {
  kinds: {
    kind: string;
    count: number;
    oldestAt: string | null;
    oldestAgeSeconds: number | null;
  }[];
};

let api: TestApi;
let admin: AdminClient;
let own: Awaited<ReturnType<MenuRows['restaurant']>>;
let foreign: typeof own;
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const { db } = api.deps;
  const rows = menuRows(db);
  [own, foreign] = [await rows.restaurant(), await rows.restaurant()];
  const order = async (
    place: typeof own,
    fields: Parameters<typeof updateRows<'customer_order'>>[2],
  ) => updateRows(db, 'customer_order', fields, { id: await rows.order(place) });
  await order(own, { acceptedAt: ago('10 minutes') });
  await order(foreign, { acceptedAt: ago('1 hour') });
  await order(own, { acceptedAt: ago('10 seconds') });
  await order(own, { acceptedAt: ago('20 minutes'), state: 'SENT', problem: 'ERP_UNAVAILABLE' });
  await order(own, { acceptedAt: ago('20 minutes'), state: 'SENT', erpOrderId: randomUUID() });
  await order(own, { state: 'FAILED', acceptedAt: ago('2 hours'), endedAt: ago('1 hour') });
  await order(own, { state: 'FAILED', acceptedAt: ago('2 days'), endedAt: ago('2 days') });
  await rows.item();
  const { id } = await rows.item();
  await addRow(db, 'catalog_item_triage', { itemId: id, status: 'IGNORED' });
  await raiseNotification(db, {
    kind: 'SUSPICIOUS_SHRINK',
    subjectType: 'external-menu',
    subjectId: 1,
    details: {},
  });
  await raiseNotification(db, {
    kind: 'SNAPSHOT_TOO_LARGE',
    subjectType: 'organization',
    subjectId: own.organizationId,
    details: {},
  });
});
afterAll(() => api.stop());

const readCounts = async (client: AdminClient) =>
  Object.fromEntries(
    (await client.get<Work>('/work')).kinds.map(({ kind, count }) => [kind, count]),
  );

describe('[OPS-198] GET /work', () => {
  test('counts waiting work, with the age of the oldest, in one statement', async () => {
    const countStatements = async (path: string) => {
      const before = api.statements();
      await admin.raw('GET', path);
      return api.statements() - before;
    };
    const { kinds } = await admin.get<Work>('/work');

    // Both read the session and run one more statement.
    expect(await countStatements('/work')).toBe(await countStatements('/organizations/999999'));
    expect(kinds).toContainEqual({
      kind: 'ORDERS_NOT_AT_ERP',
      count: 3,
      oldestAt: expect.any(String),
      oldestAgeSeconds: expect.closeTo(3_600, -2),
    });
    expect(kinds).toContainEqual({
      kind: 'INCIDENTS_CRITICAL',
      count: 0,
      oldestAt: null,
      oldestAgeSeconds: null,
    });
    expect(await readCounts(admin)).toEqual({
      ORDERS_NOT_AT_ERP: 3,
      ORDERS_FAILED: 1,
      INCIDENTS_CRITICAL: 0,
      INCIDENTS_INFO: 0,
      IMPORTS_HELD_BACK: 1,
      GIFT_CANDIDATES: 0,
      GIFT_CONFLICTS: 0,
      GIFTS_UNAUTHORIZED: 0,
      NEW_DISHES: 1,
      NOTIFICATIONS: 2,
      WEBHOOK_ENDPOINTS_DISABLED: 0,
    });
  });

  test('shows the kinds of work that the permissions allow', async () => {
    const createClient = async (role: string) => {
      const { email, password } = await api.user(role);
      return adminClient(api.url, email, password);
    };

    expect(await readCounts(await createClient('NONE'))).toEqual({});
    expect(Object.keys(await readCounts(await createClient('CONTENT_MANAGER')))).toEqual([
      'INCIDENTS_CRITICAL',
      'INCIDENTS_INFO',
      'IMPORTS_HELD_BACK',
      'NEW_DISHES',
      'NOTIFICATIONS',
    ]);
  });

  test('counts only the restaurants of the caller', async () => {
    const fields = { fullName: 'Manager', roles: ['ADMIN'], password: 'twelve letters at least' };
    await admin.post('/users', {
      ...fields,
      email: 'own@carte.test',
      organizationIds: [own.organizationId],
    });
    const manager = await newcomerClient(api.url, 'own@carte.test', fields.password);

    expect(await readCounts(manager)).toEqual({
      ORDERS_NOT_AT_ERP: 2,
      ORDERS_FAILED: 1,
      INCIDENTS_CRITICAL: 0,
      INCIDENTS_INFO: 0,
      GIFTS_UNAUTHORIZED: 0,
      NEW_DISHES: 1,
      NOTIFICATIONS: 1,
    });
  });
});
