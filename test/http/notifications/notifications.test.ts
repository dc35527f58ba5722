import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import {
  raiseNotification,
  resolveNotification,
} from '../../../modules/notifications/raise-notification.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { databaseNow, deleteRows, selectRows, updateRows } from '../../support/rows.ts';

type Notification = {
  id: number;
  kind: string;
  readAt: string | null;
  readBy: number | null;
  resolvedAt: string | null;
};
type Page = { items: Notification[]; total: number };

let api: TestApi;
let admin: AdminClient;
let ids: number[];
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const { db } = api.deps;
  const raise = (kind: 'SUSPICIOUS_SHRINK' | 'SNAPSHOT_TOO_LARGE', subjectId: number) =>
    raiseNotification(db, { kind, subjectType: 'thing', subjectId, details: {} });
  ids = [
    await raise('SUSPICIOUS_SHRINK', 1),
    await raise('SUSPICIOUS_SHRINK', 2),
    await raise('SNAPSHOT_TOO_LARGE', 1),
  ];
  await resolveNotification(db, 'SUSPICIOUS_SHRINK', 'thing', 1);
});
afterAll(async () => api?.stop());

const readIds = async (query: string) =>
  (await admin.get<Page>(`/notifications${query}`)).items.map((item) => item.id);

describe('[NOT-5] the notifications of a user', () => {
  test('include the kinds that the permissions allow', async () => {
    const shrink = ids[0]!;
    const readKinds = async (role: string) => {
      const { email, password } = await api.user(role);
      const client = await adminClient(api.url, email, password);
      const { items } = await client.get<Page>('/notifications');
      const answers = await Promise.all(
        [
          ['GET', `/notifications/${shrink}`],
          ['POST', `/notifications/${shrink}/read`],
        ].map(([method, path]) => client.raw(method!, path!)),
      );
      return {
        kinds: [...new Set(items.map(({ kind }) => kind))],
        statuses: answers.map(({ status }) => status),
      };
    };

    expect(await readKinds('CONTENT_MANAGER')).toEqual({
      kinds: ['SNAPSHOT_TOO_LARGE'],
      statuses: [404, 404],
    });
    expect(await readKinds('GUEST_SERVICE')).toEqual({ kinds: [], statuses: [404, 404] });
    const { readAt } = await admin.get<Notification>(`/notifications/${shrink}`);
    expect(readAt).toBeNull();
  });
});

describe('GET /notifications', () => {
  test('lists newest first, in pages', async () => {
    expect(await readIds('')).toEqual(ids.toReversed());
    expect(await admin.get('/notifications?page=2&size=1')).toMatchObject({
      items: [{ id: ids[1] }],
      page: 2,
      size: 1,
      total: 3,
    });
  });

  test('filters by kind, open and severity', async () => {
    expect(await readIds('?kind=SUSPICIOUS_SHRINK')).toEqual([ids[1], ids[0]]);
    expect(await readIds('?kind=SUSPICIOUS_SHRINK&open=true')).toEqual([ids[1]]);
    expect(await readIds('?open=false')).toEqual([ids[0]]);
    expect(await readIds('?severity=CRITICAL')).toHaveLength(3);
    expect(await readIds('?severity=INFO')).toEqual([]);
    expect((await admin.raw('GET', '/notifications?kind=OTHER')).status).toBe(422);
  });

  test('shows what happened, the subject, the count, and the state of sending', async () => {
    await raiseNotification(api.deps.db, {
      kind: 'SNAPSHOT_TOO_LARGE',
      subjectType: 'thing',
      subjectId: 1,
      details: { bytes: 9 },
    });
    expect(await admin.get(`/notifications/${ids[2]}`)).toMatchObject({
      kind: 'SNAPSHOT_TOO_LARGE',
      severity: 'CRITICAL',
      title: 'A menu is too large to be published',
      text: expect.stringContaining('The previous menu stays public'),
      subjectType: 'thing',
      subjectId: '1',
      details: { bytes: 9 },
      repeated: 1,
      resolvedAt: null,
      sentAt: null,
      sendEndedAt: null,
      sendAttempts: 0,
      sendError: null,
    });
    expect((await admin.raw('GET', '/notifications/999999')).status).toBe(404);
  });

  test('requires notifications.read', async () => {
    const { email, password } = await api.user('NONE');
    const other = await adminClient(api.url, email, password);
    const viewer = await api.user('VIEWER');
    const reads = await adminClient(api.url, viewer.email, viewer.password);

    expect((await other.raw('GET', '/notifications')).status).toBe(403);
    expect((await other.raw('POST', `/notifications/${ids[0]}/read`)).status).toBe(403);
    expect((await reads.raw('GET', '/notifications')).status).toBe(200);
    expect((await reads.raw('POST', `/notifications/${ids[0]}/send`)).status).toBe(403);
  });
});

describe('POST /notifications/{id}/read', () => {
  test('[NOT-2] keeps the first reader and leaves the notification open, audited once', async () => {
    const { email, password } = await api.user('VIEWER');
    const other = await adminClient(api.url, email, password);
    const first = await admin.post<Notification>(`/notifications/${ids[1]}/read`);
    const second = await other.post<Notification>(`/notifications/${ids[1]}/read`);
    const audit = await selectRows(api.deps.db, 'audit_entry', '*', {
      entityType: 'notification',
      entityId: String(ids[1]),
      action: 'read',
    });

    expect(first).toMatchObject({
      readAt: expect.any(String),
      readBy: { id: expect.any(Number) },
      resolvedAt: null,
    });
    expect(second).toEqual(first);
    expect(audit).toHaveLength(1);
    expect((await admin.raw('POST', '/notifications/999999/read')).status).toBe(404);
  });

  test('[NOT-6] keeps a report of a single event open until staff resolve it', async () => {
    const id = await raiseNotification(api.deps.db, {
      kind: 'ORDER_NOT_SENT',
      subjectType: 'order',
      subjectId: 'x',
      details: {},
    });
    const read = await admin.post<Notification>(`/notifications/${id}/read`);
    const resolve = () => admin.raw('POST', `/notifications/${id}/resolve`);
    const resolved = (await (await resolve()).json()) as Notification;

    expect(read.resolvedAt).toBeNull();
    expect(resolved).toMatchObject({
      resolvedAt: expect.any(String),
      resolvedBy: { id: expect.any(Number) },
    });
    expect(await (await resolve()).json()).toEqual(resolved);
    const entries = await selectRows(api.deps.db, 'audit_entry', ['entityId'], {
      entityType: 'notification',
      entityId: String(id),
      action: 'resolve',
    });
    expect(entries).toHaveLength(1);
    expect((await admin.raw('POST', `/notifications/${ids[1]}/resolve`)).status).toBe(409);
    expect((await admin.raw('POST', '/notifications/999999/resolve')).status).toBe(404);
  });
});

describe('POST /notifications/{id}/send', () => {
  test('[NOT-3] sends a notification again that was given up, and no other', async () => {
    const { db } = api.deps;
    const events = () =>
      db.query<{ id: number }>(
        `select (payload ->> 'notificationId')::int as id from outbox where event = 'NotificationRaised' order by outbox.id`,
      );
    await deleteRows(db, 'outbox');
    await updateRows(
      db,
      'notification',
      { sendEndedAt: databaseNow() },
      { id: [ids[0]!, ids[1]!] },
    );

    await admin.post(`/notifications/${ids[0]}/send`);
    await admin.post(`/notifications/${ids[1]}/send`);
    await admin.post(`/notifications/${ids[1]}/send`);
    await admin.post(`/notifications/${ids[2]}/send`);

    expect(await events()).toEqual([{ id: ids[1] }]);
    expect(await admin.get(`/notifications/${ids[1]}`)).toMatchObject({ sendEndedAt: null });
  });
});
