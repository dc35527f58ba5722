import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { listEvents } from '../../../modules/events/list-events.ts';
import { recordEvents } from '../../../modules/events/record-events.ts';
import type {
  WebhookAttempt,
  WebhookEndpointWithSecret,
} from '../../../modules/events/schemas/webhooks.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { readAudit } from '../../support/audit.ts';
import { addRow, deleteRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';
import { webhookReceiver } from '../../support/webhook-receiver.ts';

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes, env: { WEBHOOK_PRIVATE_RECEIVERS: 'on' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterEach(() => deleteRows(api.deps.db, 'webhook_endpoint'));
afterAll(async () => api?.stop());

type Described = {
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: unknown } } } } }
  >;
};
const URL = 'https://receiver.example/hook?token=canary';
const create = (body: object = {}, headers: Record<string, string> = {}) =>
  admin.post<WebhookEndpointWithSecret>('/webhook-endpoints', { url: URL, ...body }, headers);
const entries = async () => readAudit(api.deps, 'webhook-endpoint');

describe('webhook endpoints', () => {
  test('[EVT-7] shows the secret once and stores it encrypted', async () => {
    const key = { 'idempotency-key': 'one' };
    const created = await create({ types: ['order.accepted'], description: 'CRM' }, key);
    const { secret, ...shown } = created;

    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      url: URL,
      types: ['order.accepted'],
      isEnabled: true,
      waiting: 0,
      version: 1,
    });
    expect(await create({ types: ['order.accepted'], description: 'CRM' }, key)).toEqual(created);
    expect(await admin.get(`/webhook-endpoints/${created.id}`)).toEqual(shown);
    expect(await admin.get('/webhook-endpoints')).toMatchObject({ items: [shown], total: 1 });
    const row = await selectRow(api.deps.db, 'webhook_endpoint', '*');
    expect(JSON.stringify(row)).not.toContain(secret);
    const [audit] = await entries();
    expect(audit).toMatchObject({
      action: 'create',
      after: { host: 'receiver.example', types: ['order.accepted'] },
    });
    expect(JSON.stringify(audit)).not.toMatch(/canary|whsec/);
  });

  test('[ACC-25] shows in the audit that the path of a receiver has changed, and not the path', async () => {
    const { id } = await create();
    await admin.patch(`/webhook-endpoints/${id}`, { version: 1, url: `${URL}/other-canary` });
    const changed = (await entries()).find(
      (entry) => entry['entityId'] === String(id) && entry['action'] === 'update',
    );

    expect(changed).toMatchObject({
      before: { secretPath: '[masked]' },
      after: { host: 'receiver.example', secretPath: '[masked, changed]' },
    });
    expect(JSON.stringify(changed)).not.toContain('canary');
  });

  test('[EVT-7] edits, rotates and deletes with an audit entry each', async () => {
    const { id, secret } = await create();
    const edited = await admin.patch<{ version: number }>(`/webhook-endpoints/${id}`, {
      version: 1,
      types: ['import.failed'],
      isEnabled: false,
    });
    const rotated = await admin.post<WebhookEndpointWithSecret>(
      `/webhook-endpoints/${id}/rotate-secret`,
    );

    expect(edited).toMatchObject({ types: ['import.failed'], isEnabled: false, version: 2 });
    expect(rotated.secret).not.toBe(secret);
    expect(
      (await admin.raw('PATCH', `/webhook-endpoints/${id}`, { version: 1, types: [] })).status,
    ).toBe(409);
    expect((await admin.raw('DELETE', `/webhook-endpoints/${id}`)).status).toBe(204);
    expect((await admin.raw('DELETE', `/webhook-endpoints/${id}`)).status).toBe(404);
    expect((await entries()).filter((entry) => entry['entityId'] === String(id))).toMatchObject([
      { action: 'create' },
      { action: 'update', before: { isEnabled: true }, after: { isEnabled: false } },
      { action: 'rotate-secret' },
      { action: 'delete' },
    ]);
  });

  test.each([
    'ftp://receiver.example',
    'https://user:password@receiver.example',
    'https://a.example/#x',
    'hook',
  ])('[EVT-13] rejects the URL %p', async (url) => {
    expect((await admin.raw('POST', '/webhook-endpoints', { url })).status).toBe(422);
  });

  test.each([
    [{ organizationIds: [987_654] }, 'organizationIds.0', 'not_found'],
    [{ types: ['import.failed', 'import.failed'] }, 'types', 'duplicate'],
  ])('[EVT-23] rejects %p, on creation and edit', async (filter, field, code) => {
    const { id } = await create();
    const errors = [{ field, code }];

    expect(
      await (await admin.raw('POST', '/webhook-endpoints', { url: URL, ...filter })).json(),
    ).toMatchObject({
      status: 422,
      errors,
    });
    expect(
      await (
        await admin.raw('PATCH', `/webhook-endpoints/${id}`, { version: 1, ...filter })
      ).json(),
    ).toMatchObject({ status: 422, errors });
  });

  test('[EVT-13] rejects http URLs and private hosts unless private receivers are allowed', async () => {
    const strict = await startTestApi({ routes });
    try {
      const other = await adminClient(strict.url, ADMIN.email, ADMIN.password);

      const urls = [
        'http://receiver.example',
        'https://127.0.0.1:9',
        'https://[::ffff:7f00:1]',
        'https://0x7f.1',
      ];
      for (const url of [
        ...urls,
        'https://169.254.169.254/',
        'https://localhost',
        'https://a.localhost.:8443/',
        'https://localhost../',
      ])
        expect((await other.raw('POST', '/webhook-endpoints', { url })).status).toBe(422);
      // An endpoint from the time when private receivers were allowed.
      const { id } = await other.post<{ id: number }>('/webhook-endpoints', { url: URL });
      await updateRows(strict.deps.db, 'webhook_endpoint', { url: 'https://127.0.0.1:9/' }, { id });
      expect(await other.post(`/webhook-endpoints/${id}/test`)).toMatchObject({
        error: 'ADDRESS_REFUSED',
      });
    } finally {
      await strict.stop();
    }
  });

  test('[EVT-15] sends a signed test message and returns the result', async () => {
    const receiver = await webhookReceiver();
    try {
      const { id, secret } = await create({ url: receiver.url });
      receiver.secret = secret;
      const attempt = await admin.post<WebhookAttempt>(`/webhook-endpoints/${id}/test`);

      expect(attempt).toMatchObject({ status: 204, error: null });
      expect(receiver).toMatchObject({
        refused: 0,
        accepted: [{ type: 'test', subject: `webhook-endpoint/${id}` }],
      });
      const { webhooks } = (await (
        await fetch(`${api.url}/api/admin/v1/openapi.json`)
      ).json()) as Described;
      expect(webhooks['test']!.post.requestBody.content['application/json'].schema).toEqual({
        $ref: '#/components/schemas/TestEvent',
      });
      expect(receiver.accepted[0]).toEqual({
        messageId: expect.stringMatching(/^evt_test_/),
        id: 0,
        type: 'test',
        version: 1,
        occurredAt: expect.any(String),
        organizationId: null,
        subject: `webhook-endpoint/${id}`,
        data: {},
      });
      receiver.secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
      expect(await admin.post(`/webhook-endpoints/${id}/test`)).toMatchObject({ status: 401 });
      expect((await entries()).slice(-1)).toMatchObject([
        { action: 'test', after: { status: 401 } },
      ]);
    } finally {
      await receiver.close();
    }
  });

  test('[EVT-14] lists deliveries, retries one and replays a range', async () => {
    const { db } = api.deps;
    const { id } = await create({ types: ['product.published'] });
    await recordEvents(db, 'product.published', [
      { id: 1, organizationId: null, data: { productId: 1 } },
    ]);
    const { items } = await listEvents(db, { after: 0, limit: 10 });
    const [{ id: eventId, subject }] = items as [(typeof items)[number]];
    await addRow(db, 'webhook_delivery', {
      endpointId: id,
      eventId,
      subject,
      isPending: false,
      deliveredAt: new Date(),
    });
    const [delivery] = await selectRows(db, 'webhook_delivery', ['id']);
    const list = `/webhook-endpoints/${id}/deliveries`;

    expect(await admin.get(list)).toMatchObject({
      items: [{ endpointId: id, eventId, status: 'DELIVERED', attempts: [], nextAttemptAt: null }],
      total: 1,
    });
    expect(await admin.post(`/webhook-deliveries/${delivery!.id}/retry`)).toMatchObject({
      status: 'WAITING',
    });
    expect(await admin.get(`${list}?status=DELIVERED`)).toMatchObject({ total: 0 });
    await updateRows(db, 'webhook_endpoint', { readTo: items[0]!.id }, { id });
    const hour = 3_600_000;
    const range = {
      from: new Date(Date.now() - hour).toISOString(),
      to: new Date(Date.now() + hour).toISOString(),
    };
    expect(await admin.post(`/webhook-endpoints/${id}/replay`, range)).toEqual({ events: 0 });
    await updateRows(db, 'webhook_delivery', { isPending: false }, { endpointId: id });
    expect(await admin.post(`/webhook-endpoints/${id}/replay`, range)).toEqual({ events: 1 });
    expect(
      (await admin.raw('POST', `/webhook-endpoints/${id}/replay`, { ...range, to: range.from }))
        .status,
    ).toBe(422);
    expect(await readAudit(api.deps, 'webhook-delivery')).toMatchObject([{ action: 'retry' }]);
    expect((await entries()).slice(-1)).toMatchObject([{ action: 'replay', after: { events: 1 } }]);
    await updateRows(db, 'webhook_endpoint', { isEnabled: false }, { id });
    expect((await admin.raw('POST', `/webhook-deliveries/${delivery!.id}/retry`)).status).toBe(409);
  });

  test('[EVT-41] counts waiting and rejected events, even while an endpoint is disabled', async () => {
    const { db } = api.deps;
    const { id } = await create({ types: ['product.published'], isEnabled: false });
    const event = { organizationId: null, data: { productId: 1 } };
    await recordEvents(
      db,
      'product.published',
      [1, 2, 3].map((product) => ({ id: product, ...event })),
    );
    await recordEvents(db, 'product.unpublished', [
      { id: 1, organizationId: null, data: { productId: 1, reason: null } },
    ]);
    const { items } = await listEvents(db, {
      after: 0,
      limit: 1_000,
      types: ['product.published'],
    });
    expect(await admin.get(`/webhook-endpoints/${id}`)).toMatchObject({ waiting: 3, failed: 0 });

    const first = items.at(-3)!;
    await updateRows(db, 'webhook_endpoint', { readTo: first.id }, { id });
    const delivery = { endpointId: id, eventId: first.id, subject: first.subject };
    await addRow(db, 'webhook_delivery', delivery);
    await addRow(db, 'webhook_delivery', { ...delivery, isPending: false, failedAt: new Date() });
    await addRow(db, 'webhook_delivery', {
      ...delivery,
      isPending: false,
      deliveredAt: new Date(),
    });

    expect(await admin.get(`/webhook-endpoints/${id}`)).toMatchObject({ waiting: 3, failed: 1 });
    expect(await admin.get(`/webhook-endpoints/${id}/deliveries?status=FAILED`)).toMatchObject({
      items: [{ status: 'FAILED' }],
      total: 1,
    });
    expect(await admin.get(`/webhook-endpoints/${id}/deliveries?status=DELIVERED`)).toMatchObject({
      total: 1,
    });
  });

  test.each(['', '&sort=createdAt,asc', '&sort=nextAttemptAt,desc'])(
    '[EVT-42] continues a list of deliveries by cursor while others are added (order %p)',
    async (sort) => {
      const { db } = api.deps;
      const { id } = await create();
      const other = await create();
      const add = (subject: string) =>
        addRow(db, 'webhook_delivery', { endpointId: id, eventId: 1, subject });
      for (let at = 0; at < 7; at += 1) await add(`product/${at}`);
      await addRow(db, 'webhook_queue', { endpointId: id, isReplay: false, subject: 'product/3' });
      const list = (endpointId: number, after: string | null) =>
        `/webhook-endpoints/${endpointId}/deliveries?size=3${sort}${after === null ? '' : `&after=${after}`}`;
      const seen: number[] = [];
      const foreign: number[] = [];
      let after: string | null = null;
      do {
        const page: { items: { id: number }[]; next: string | null } = await admin.get(
          list(id, after),
        );
        seen.push(...page.items.map((item) => item.id));
        after = page.next;
        if (after !== null && sort === '') await add(`product/new-${seen.length}`);
        if (after !== null) foreign.push((await admin.raw('GET', list(other.id, after))).status);
      } while (after !== null);

      expect(foreign).toEqual([422, 422]);
      expect(new Set(seen).size).toBe(7);
      expect(seen).toHaveLength(7);
    },
  );
});
