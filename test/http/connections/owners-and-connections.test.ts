import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let admin: AdminClient;
let deliveries = 0;
beforeAll(async () => {
  api = await startTestApi({ routes, deps: { deliverEvents: async () => (deliveries += 1) } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
beforeEach(() => {
  deliveries = 0;
});
afterAll(() => api.stop());

type Entity = { id: number; name: string; version: number };
const CANARY = 'canary-api-login-0123456789';

let named = 0;
const franchisee = () => admin.post<Entity>('/franchisees', { name: `Franchisee ${(named += 1)}` });
const legalEntity = async () =>
  admin.post<Entity>('/legal-entities', {
    franchiseeId: (await franchisee()).id,
    name: 'ООО «Пример»',
    taxId: `77${named}`,
  });
const connection = async () =>
  admin.post<Entity & { legalEntityId: number }>('/connections', {
    legalEntityId: (await legalEntity()).id,
    name: 'Main account',
    apiLogin: CANARY,
  });

describe('franchisees and legal entities', () => {
  test('are created, listed in pages by name, and found by franchisee', async () => {
    const owner = await franchisee();
    const entity = await admin.post<Entity>('/legal-entities', { franchiseeId: owner.id, name: 'Entity' });
    const owners = await admin.get<{ items: Entity[]; total: number; size: number }>('/franchisees?size=1&page=1');
    const entities = await admin.get<{ items: Entity[] }>(`/legal-entities?franchisee_id=${owner.id}`);

    expect(owner).toMatchObject({ isActive: true, version: 1, createdAt: expect.stringMatching(/Z$/) });
    expect(owners.items).toHaveLength(1);
    expect(owners.total).toBeGreaterThanOrEqual(1);
    expect(entities.items).toEqual([entity]);
  });

  test('a taken name is a duplicate of its field, an unknown franchisee an error of its field', async () => {
    const { name } = await franchisee();
    const taken = await admin.raw('POST', '/franchisees', { name });
    const orphan = await admin.raw('POST', '/legal-entities', { franchiseeId: 999_999, name: 'Entity' });

    expect(taken.status).toBe(409);
    expect(await taken.json()).toMatchObject({ errors: [{ field: 'name', code: 'duplicate' }] });
    expect(orphan.status).toBe(422);
    expect(await orphan.json()).toMatchObject({ errors: [{ field: 'franchiseeId' }] });
  });

  test('an Idempotency-Key creates one franchisee', async () => {
    const headers = { 'idempotency-key': 'franchisee-once' };
    const first = await admin.post<Entity>('/franchisees', { name: 'Once' }, headers);
    const second = await admin.post<Entity>('/franchisees', { name: 'Once' }, headers);

    expect(second).toEqual(first);
  });
});

describe('connections', () => {
  test('never show their credential: not in answers, rows, audit, outbox or log', async () => {
    const created = await connection();
    const answers = [
      created,
      await admin.get(`/connections/${created.id}`),
      await admin.get(`/connections?legal_entity_id=${created.legalEntityId}`),
      await (await admin.raw('POST', '/connections', { legalEntityId: 1, name: CANARY, apiLogin: CANARY })).json(),
    ];
    const rows = await Promise.all(
      ['connection', 'audit_entry', 'outbox', 'idempotency_key'].map((table) =>
        api.deps.db.query(`select row_to_json(t)::text as row from ${table} t`),
      ),
    );

    expect(created).toMatchObject({ status: 'ACTIVE', name: 'Main account', version: 1 });
    expect(Object.keys(created)).not.toContain('apiLogin');
    for (const place of [answers, rows, api.logged]) expect(JSON.stringify(place)).not.toContain(CANARY);
  });

  test('are disabled once, with the version the caller has seen, and events are delivered behind the answer', async () => {
    const created = await connection();
    const stale = await admin.raw('POST', `/connections/${created.id}/disable`, { version: created.version + 5 });
    const disabled = await admin.post<Entity>(`/connections/${created.id}/disable`, { version: created.version });
    const again = await admin.post<Entity>(`/connections/${created.id}/disable`);

    expect(stale.status).toBe(409);
    expect(await stale.json()).toMatchObject({ type: '/problems/version-conflict', currentVersion: created.version });
    expect(disabled).toMatchObject({ status: 'DISABLED', version: created.version + 1 });
    expect(again).toEqual(disabled);
    expect(deliveries).toBeGreaterThan(0);
  });

  test('need an active owner', async () => {
    const entity = await legalEntity();
    await api.deps.db.query('update legal_entity set is_active = false where id = $1', [entity.id]);
    const refused = await admin.raw('POST', '/connections', {
      legalEntityId: entity.id,
      name: 'Account',
      apiLogin: CANARY,
    });

    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ type: '/problems/owner-inactive' });
  });

  test('an unknown one is 404', async () => {
    expect((await admin.raw('GET', '/connections/999999')).status).toBe(404);
    expect((await admin.raw('POST', '/connections/999999/disable', {})).status).toBe(404);
  });
});
