import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { recordEvents } from '../../../modules/events/record-events.ts';
import {
  raiseNotification,
  resolveNotification,
} from '../../../modules/notifications/raise-notification.ts';
import { adminClient, newcomerClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { collectedHeap } from '../../support/collected-heap.ts';
import { openStream, type OpenStream, type StreamEvent } from '../../support/event-stream.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { eventually } from '../../support/processes.ts';
import { countStatements } from '../../support/statements.ts';
import { addRow, ago, deleteRows, giveRole, updateRows } from '../../support/rows.ts';

let api: TestApi;
let rows: MenuRows;
let admin: AdminClient;
let own: Awaited<ReturnType<MenuRows['restaurant']>>;
let foreign: typeof own;
beforeAll(async () => {
  api = await startTestApi({
    routes,
    env: { RATE_LIMIT_ADMIN: 'off', STREAMS_PER_ADDRESS: '1000' },
  });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rows = menuRows(api.deps.db);
  [own, foreign] = [await rows.restaurant(), await rows.restaurant()];
});
afterAll(() => api.stop());

const opened: OpenStream[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

async function open(token: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const authorization = `Bearer ${token}`;
  const stream = await openStream(`${api.url}/api/admin/v1/stream`, { authorization, ...headers });
  opened.push(stream);
  return stream;
}
async function joined(token: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const stream = await open(token, headers);
  await message(stream, 'snapshot');
  return stream;
}
const message = (
  stream: OpenStream,
  type: string,
  isWanted: (data: never) => boolean = () => true,
) =>
  eventually(`a message ${type}`, async () =>
    stream.events.find(({ event, data }) => event === type && isWanted(data as never)),
  );
const listRevisions = ({ events }: { events: StreamEvent[] }) =>
  events
    .filter(({ event }) => event === 'event')
    .map(({ data }) => (data as { data: { revision?: number } }).data.revision ?? null);

const publish = (organizationId: number, ...revisions: number[]) =>
  recordEvents(
    api.deps.db,
    'menu.published',
    revisions.map((revision) => ({ id: organizationId, organizationId, data: { revision } })),
  );
/** Publishes a revision and waits until the stream has it: one read of the database. */
async function read(stream: OpenStream, revision: number): Promise<void> {
  await publish(own.organizationId, revision);
  await eventually(`revision ${revision}`, async () =>
    listRevisions(stream).includes(revision) ? true : undefined,
  );
}
const raise = (organizationId: number) =>
  raiseNotification(api.deps.db, {
    kind: 'SNAPSHOT_TOO_LARGE',
    subjectType: 'organization',
    subjectId: organizationId,
    details: {},
  });
async function createClient(role: string): Promise<AdminClient> {
  const { email, password } = await api.user(role);
  return adminClient(api.url, email, password);
}
let managers = 0;
async function createManager(organizationIds: number[]): Promise<AdminClient & { id: number }> {
  const user = {
    email: `manager-${(managers += 1)}@carte.test`,
    fullName: 'Manager',
    roles: ['ADMIN'],
    password: 'twelve letters at least',
    organizationIds,
  };
  const { id } = await admin.post<{ id: number }>('/users', user);
  return { ...(await newcomerClient(api.url, user.email, user.password)), id };
}

describe('[EVT-43] the stream of staff', () => {
  test('shows what is open, then each kind of change', async () => {
    const { db } = api.deps;
    await raise(own.organizationId);
    const stream = await joined(admin.accessToken);
    expect(stream.events[0]).toMatchObject({
      event: 'snapshot',
      id: expect.stringMatching(/^\d+$/),
      data: {
        notifications: [
          { kind: 'SNAPSHOT_TOO_LARGE', subjectId: String(own.organizationId), resolvedAt: null },
        ],
        runs: [],
        incidents: [],
        busyModes: [],
        work: {
          kinds: expect.arrayContaining([
            expect.objectContaining({ kind: 'NOTIFICATIONS', count: 1 }),
          ]),
        },
      },
    });

    await resolveNotification(db, 'SNAPSHOT_TOO_LARGE', 'organization', own.organizationId);
    await message(
      stream,
      'notification',
      ({ resolvedAt }: { resolvedAt: string | null }) => resolvedAt !== null,
    );
    await message(stream, 'work');

    const busy = `/organizations/${own.organizationId}/busy`;
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await admin.raw('PUT', busy, { extraMinutes: 20, until });
    await message(
      stream,
      'busy',
      (mode: object) => 'extraMinutes' in mode && mode.extraMinutes === 20,
    );
    await admin.raw('DELETE', busy);
    await message(stream, 'busy', (mode: { until: string | null }) => mode.until === null);

    const run = {
      id: 900_001,
      connectionId: own.connectionId,
      job: 'STOP_LIST',
      trigger: 'MANUAL',
      mode: 'FULL',
    };
    await addRow(db, 'sync_run', { ...run, status: 'RUNNING' } as never);
    await message(stream, 'run', ({ status }: { status: string }) => status === 'RUNNING');
    await updateRows(db, 'sync_run', { status: 'SUCCESS', finishedAt: new Date() }, { id: run.id });
    await message(stream, 'run', ({ status }: { status: string }) => status === 'SUCCESS');
    // The run began and ended between two reads.
    await addRow(db, 'sync_run', {
      ...run,
      id: 900_002,
      status: 'SKIPPED',
      finishedAt: new Date(),
    } as never);
    await message(stream, 'run', ({ id }: { id: number }) => id === 900_002);

    await publish(own.organizationId, 1);
    const { id, data } = await message(stream, 'event');
    expect(data).toMatchObject({
      id: Number(id),
      type: 'menu.published',
      organizationId: own.organizationId,
    });
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
  });

  test('shows incidents when they open and close', async () => {
    const stream = await joined(admin.accessToken);
    const productId = await rows.product(own.categoryId);
    const { id: itemId, erpId } = await rows.item();
    const variantId = await rows.variant(productId, await rows.size(itemId));
    const id = await rows.insert('binding_incident', {
      type: 'ITEM_MISSING',
      severity: 'CRITICAL',
      product_id: productId,
      variant_id: variantId,
      evaluation: 1,
      last_known: JSON.stringify({ erpItemId: erpId }),
    });
    await message(stream, 'incident', (incident: { status: string }) => incident.status === 'OPEN');
    const closed = { status: 'CLOSED', resolution: 'DISMISSED', closedAt: new Date() } as const;
    await updateRows(api.deps.db, 'binding_incident', closed as never, { id });
    const last = await message(
      stream,
      'incident',
      (incident: { status: string }) => incident.status === 'CLOSED',
    );
    expect(last.data).toMatchObject({ id, severity: 'CRITICAL', productId });
  });

  test('sends each role only what it may read', async () => {
    const guestService = await joined((await createClient('GUEST_SERVICE')).accessToken);
    const nobody = await joined((await createClient('NONE')).accessToken);
    const everything = await joined(admin.accessToken);
    expect(nobody.events[0]?.data).toEqual({
      notifications: [],
      runs: [],
      incidents: [],
      busyModes: [],
      work: { kinds: [] },
    });

    const { db } = api.deps;
    await publish(own.organizationId, 2);
    await recordEvents(db, 'product.published', [
      { id: 1, organizationId: null, data: { productId: 1 } },
    ]);
    const failed = { runId: 1, job: 'MENU', connectionId: own.connectionId, reason: null };
    await recordEvents(db, 'import.failed', [{ id: 1, organizationId: null, data: failed }]);
    await raise(foreign.organizationId);
    await message(everything, 'notification');
    const listTypes = ({ events }: OpenStream) =>
      events
        .filter(({ event }) => event === 'event')
        .map(({ data }) => (data as { type: string }).type);
    await eventually(
      'the last event',
      async () => listTypes(everything).includes('import.failed') || undefined,
    );
    expect(listTypes(guestService)).toEqual(['menu.published', 'product.published']);
    expect(guestService.events.some(({ event }) => event === 'notification')).toBe(false);
    expect(nobody.events).toHaveLength(1);
    await resolveNotification(db, 'SNAPSHOT_TOO_LARGE', 'organization', foreign.organizationId);
  });

  test('[ACC-61] sends a limited user only the own restaurants', async () => {
    const manager = await joined((await createManager([own.organizationId])).accessToken);
    const everything = await joined(admin.accessToken);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    for (const { organizationId } of [foreign, own]) {
      await publish(organizationId, 3);
      await raise(organizationId);
      await admin.raw('PUT', `/organizations/${organizationId}/busy`, { extraMinutes: 10, until });
      await updateRows(
        api.deps.db,
        'customer_order',
        { acceptedAt: ago('10 minutes') },
        { id: await rows.order(organizationId === own.organizationId ? own : foreign) },
      );
    }
    const findCount = ({ kinds }: { kinds: { kind: string; count: number }[] }) =>
      kinds.find(({ kind }) => kind === 'ORDERS_NOT_AT_ERP')?.count;
    await message(
      everything,
      'work',
      (work: Parameters<typeof findCount>[0]) => findCount(work) === 2,
    );
    await message(
      manager,
      'work',
      (work: Parameters<typeof findCount>[0]) => findCount(work) === 1,
    );
    await message(manager, 'busy');

    const text = manager.events.map(({ data }) => JSON.stringify(data)).join('\n');
    expect(text).not.toMatch(
      new RegExp(`"(organizationId|subjectId)":"?${foreign.organizationId}\\b`),
    );
    expect(manager.events.filter(({ event }) => event === 'event')).toHaveLength(1);
    expect(manager.events.filter(({ event }) => event === 'notification')).toHaveLength(1);
    expect(await admin.get('/work')).toMatchObject({ kinds: expect.anything() });
    await admin.raw('DELETE', '/busy');
  });

  test('requires a token in a header', async () => {
    expect(
      (await fetch(`${api.url}/api/admin/v1/stream?access_token=${admin.accessToken}`)).status,
    ).not.toBe(200);
    expect((await fetch(`${api.url}/api/admin/v1/stream`)).status).toBe(401);
  });
});

describe('[EVT-44] a resumed stream', () => {
  test('contains each event after `Last-Event-ID` once, then a snapshot', async () => {
    const first = await joined(admin.accessToken);
    await publish(own.organizationId, 10, 11, 12);
    await eventually('three events', async () =>
      listRevisions(first).length === 3 ? true : undefined,
    );
    const { id } = first.events.find(
      ({ data }) => (data as { data?: { revision: number } }).data?.revision === 10,
    )!;
    first.close();
    await publish(own.organizationId, 13);

    const next = await joined(admin.accessToken, { 'Last-Event-ID': id });
    await publish(own.organizationId, 14);
    await eventually('event 14', async () => (listRevisions(next).includes(14) ? true : undefined));
    expect(listRevisions(next)).toEqual([11, 12, 13, 14]);
    const order = next.events.map(({ event }) => event);
    expect(order.indexOf('snapshot')).toBeGreaterThanOrEqual(2);
    expect(order.filter((event) => event === 'snapshot')).toHaveLength(1);
  });

  test('reads a long gap from the database, even after a time without streams', async () => {
    const first = await joined(admin.accessToken);
    const { id } = first.events[0]!;
    first.close();
    await delay(2_500);
    const revisions = Array.from({ length: 2_500 }, (_, at) => 1_000 + at);
    await publish(own.organizationId, ...revisions);
    const next = await joined(admin.accessToken, { 'Last-Event-ID': id });
    expect(listRevisions(next)).toEqual(revisions);
  });

  test.each(['none', '-1', '999999999'])(
    'continues with the next event after the unknown id %s',
    async (id) => {
      const stream = await joined(admin.accessToken, { 'Last-Event-ID': id });
      await publish(own.organizationId, 20);
      await message(stream, 'event');
      expect(listRevisions(stream)).toEqual([20]);
    },
  );
});

describe('[EVT-45] the end of a stream within 5 seconds', () => {
  test('follows a change of the session, a role, the restaurants or the API key', async () => {
    const { db } = api.deps;
    const signedOut = await createClient('VIEWER');
    const { email, password, id } = await api.user('VIEWER');
    await giveRole(db, id, 'GUEST_SERVICE');
    const lessRoles = await adminClient(api.url, email, password);
    const moved = await createManager([own.organizationId, foreign.organizationId]);
    const lasting = await createClient('VIEWER');
    const fields = { name: 'Board', use: 'ADMIN', permissions: ['snapshot.read'] };
    const key = await admin.post<{ id: number; token: string; version: number }>(
      '/api-keys',
      fields,
    );
    const clients = [signedOut.accessToken, lessRoles.accessToken, moved.accessToken, key.token];
    const streams = await Promise.all(clients.map((token) => joined(token)));
    const stays = await joined(lasting.accessToken);
    await publish(own.organizationId, 30);
    await Promise.all(streams.map((stream) => message(stream, 'event')));

    await signedOut.raw('POST', '/auth/logout');
    const role = await db.db
      .selectFrom('access_role')
      .select('id')
      .where('code', '=', 'GUEST_SERVICE')
      .execute();
    await deleteRows(db, 'access_user_role', { userId: id, roleId: role[0]!.id });
    await updateRows(
      db,
      'access_user',
      { organizationIds: [own.organizationId] },
      { id: moved.id },
    );
    await updateRows(db, 'access_api_key', { revokedAt: new Date() }, { id: key.id });
    let isOver = false;
    const over = Promise.all(streams.map(({ ended }) => ended)).then(() => (isOver = true));
    // The stream that stays counts the reads of the database, one each second.
    let seconds = 0;
    while (!isOver && seconds < 60) await read(stays, 100 + (seconds += 1));
    await over;
    expect(seconds).toBeLessThan(10);

    await read(stays, 31);
    for (const stream of streams) expect(listRevisions(stream)).not.toContain(31);
  });
});

describe('[EVT-46] 500 streams of staff', () => {
  test('share the reads of the database and use little memory', async () => {
    const first = await joined(admin.accessToken);
    const statements = countStatements(api.deps.db);
    /** The statements of six seconds, which have a check of access and a count of open work. */
    const statementsOf = async (from: number) => {
      await read(first, from);
      const before = statements();
      for (let second = 1; second <= 6; second += 1) await read(first, from + second);
      return statements() - before;
    };
    const alone = await statementsOf(40);
    const memory = await collectedHeap();
    const streams = await Promise.all(Array.from({ length: 500 }, () => joined(admin.accessToken)));

    const together = await statementsOf(50);
    await eventually('every stream has every event', async () =>
      streams.every((stream) => listRevisions(stream).length === 7) ? true : undefined,
    );
    expect(together).toBeLessThan(5 * alone);
    // The clients are in this process too, and take about as much as the server.
    expect((await collectedHeap()) - memory).toBeLessThan(500 * 200_000);
  });
});
