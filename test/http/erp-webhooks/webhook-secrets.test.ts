import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { holdRow } from '../../support/races.ts';
import { deleteRows, selectRows } from '../../support/rows.ts';

const COMMON = `common-${randomUUID()}`;
type Secret = { id: number; secret: string; createdBy: number | null };
type Place = { connectionId: number; organizationId: string };

let api: TestApi;
let admin: AdminClient;
let rows: ReturnType<typeof menuRows>;
let [one, other]: Place[] = [];
beforeAll(async () => {
  api = await startTestApi({ routes, env: { WEBHOOK_SECRET: COMMON, RATE_LIMIT_WEBHOOK: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rows = menuRows(api.deps.db);
});
afterAll(() => api.stop());
beforeEach(async () => {
  await deleteRows(api.deps.db, 'webhook_event');
  [one, other] = await Promise.all(
    [1, 2].map(async () => {
      const connectionId = await rows.connection();
      const { erpId } = await rows.organization(connectionId);
      return { connectionId, organizationId: erpId };
    }),
  );
});

const path = ({ connectionId }: Place) => `/connections/${connectionId}/webhook-secrets`;
const make = (place: Place) => admin.post<Secret>(path(place), undefined);
const listed = async (place: Place) =>
  (await admin.get<{ items: Omit<Secret, 'secret'>[] }>(path(place))).items;
const end = (place: Place, { id }: Secret) => admin.raw('DELETE', `${path(place)}/${id}`);
/** Sends events. Returns the status and the places with a stored event. */
async function tell(secret: string, ...places: Place[]) {
  const body = places.map(({ organizationId }) => ({
    eventType: 'StopListUpdate',
    eventTime: '2031-02-03 08:15:02.117',
    organizationId,
    correlationId: randomUUID(),
    eventInfo: { terminalGroupsStopListsUpdates: [{ id: randomUUID(), isFull: true }] },
  }));
  await deleteRows(api.deps.db, 'webhook_event');
  const answer = await fetch(`${api.url}/api/webhooks/erp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });
  const stored = await selectRows(api.deps.db, 'webhook_event', ['organizationErpId as id']);
  return [
    answer.status,
    places.map(({ organizationId }) => stored.some(({ id }) => id === organizationId)),
  ] as const;
}
const foreign = async () =>
  (await api.deps.metrics.webhookEvents.get()).values
    .filter(({ labels }) => labels.outcome === 'foreign')
    .reduce((sum, { value }) => sum + value, 0);

test('[HTTP-6] a lost answer with a secret can be repeated by its key, and the stored answer omits it', async () => {
  const key = randomUUID();
  const send = (place: Place) =>
    fetch(`${api.url}/api/admin/v1${path(place)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.accessToken}`, 'idempotency-key': key },
    });
  const [first, again, elsewhere] = [await send(one!), await send(one!), await send(other!)];
  const made = (await first.json()) as Secret;

  expect([first, again, elsewhere].map(({ status }) => status)).toEqual([201, 201, 422]);
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
    null,
    'true',
  ]);
  expect(await again.json()).toEqual(made);
  expect(await listed(one!)).toHaveLength(1);
  expect((await tell(made.secret, one!))[1]).toEqual([true]);
  const stored = await selectRows(api.deps.db, 'idempotency_key', ['body'], { key });
  expect(JSON.stringify(stored)).not.toContain(made.secret);
});

test('[WHK-9] a secret of a connection proves events about its own restaurants only', async () => {
  const { secret } = await make(one!);
  const before = await foreign();

  expect(await tell(secret, one!, other!)).toEqual([200, [true, false]]);
  expect((await foreign()) - before).toBe(1);
});

test('[WHK-9] the common secret proves events about connections without a secret of their own', async () => {
  const before = await tell(COMMON, one!, other!);
  const made = await make(one!);
  const during = await tell(COMMON, one!, other!);
  await end(one!, made);

  expect([before, during, await tell(COMMON, one!, other!)]).toEqual([
    [200, [true, true]],
    [200, [false, true]],
    [200, [true, true]],
  ]);
});

test('[WHK-9] two secrets, never three, are valid during a replacement, even in parallel requests', async () => {
  const held = await holdRow(api.deps.db, 'connection', one!.connectionId);
  const asked = [1, 2, 3].map(() => admin.raw('POST', path(one!)));
  await held.waits(asked.length);
  await held.release();
  const answers = await Promise.all(asked);
  const made = await Promise.all(
    answers
      .filter(({ status }) => status === 201)
      .map(async (answer) => (await answer.json()) as Secret),
  );
  const [first, second] = made.toSorted((a, b) => a.id - b.id);

  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409]);
  expect([await tell(first!.secret, one!), await tell(second!.secret, one!)]).toEqual([
    [200, [true]],
    [200, [true]],
  ]);
  expect((await end(one!, first!)).status).toBe(204);
  expect([(await tell(first!.secret, one!))[0], (await tell(second!.secret, one!))[0]]).toEqual([
    401, 200,
  ]);
  expect(await listed(one!)).toMatchObject([{ id: second!.id }]);
  expect((await end(one!, first!)).status).toBe(404);
  expect((await end(other!, second!)).status).toBe(404);
});

test('[WHK-9] a secret appears once and is not stored in the database, the audit or the log', async () => {
  const { id, secret, createdBy } = await make(one!);
  const written = JSON.stringify([
    await selectRows(api.deps.db, 'webhook_secret', '*'),
    await selectRows(api.deps.db, 'audit_entry', '*'),
    await selectRows(api.deps.db, 'idempotency_key', '*'),
    await admin.get(path(one!)),
    api.logged,
  ]);

  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(createdBy).toEqual({ id: expect.any(Number), name: 'Administrator' });
  expect(written).not.toContain(secret);
  expect(written).toContain(createHash('sha256').update(secret).digest('base64url'));
  expect(
    await selectRows(
      api.deps.db,
      'audit_entry',
      ['action'],
      { entityType: 'connection', entityId: String(one!.connectionId) },
      { orderBy: 'id' },
    ),
  ).toEqual([{ action: 'create-webhook-secret' }]);
  await end(one!, { id, secret, createdBy });
  expect(
    await selectRows(api.deps.db, 'audit_entry', ['before', 'action'], {
      action: 'delete-webhook-secret',
      entityId: String(one!.connectionId),
    }),
  ).toMatchObject([{ action: 'delete-webhook-secret', before: { id } }]);
  expect((await admin.raw('GET', '/connections/999999/webhook-secrets')).status).toBe(404);
  expect((await admin.raw('POST', '/connections/999999/webhook-secrets')).status).toBe(404);
});
