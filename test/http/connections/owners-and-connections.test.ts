import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { asOwner } from '../../support/database-roles.ts';
import { selectRows, updateRows } from '../../support/rows.ts';
import { rowTexts } from '../../support/whole-schema.ts';

let api: TestApi;
let admin: AdminClient;
let deliveries = 0;
beforeAll(async () => {
  api = await startTestApi({ routes, onEventsCommitted: () => void (deliveries += 1) });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
beforeEach(() => {
  deliveries = 0;
});
afterAll(() => api.stop());

type Entity = { id: number; name: string; version: number; taxId?: string | null };
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
  test('can be created, listed in pages by name, and found by franchisee', async () => {
    const owner = await franchisee();
    const entity = await admin.post<Entity>('/legal-entities', {
      franchiseeId: owner.id,
      name: 'Entity',
    });
    const owners = await admin.get<{ items: Entity[]; total: number; size: number }>(
      '/franchisees?size=1&page=1',
    );
    const entities = await admin.get<{ items: Entity[] }>(
      `/legal-entities?franchisee_id=${owner.id}`,
    );

    expect(owner).toMatchObject({
      isActive: true,
      version: 1,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(owners.items).toHaveLength(1);
    expect(owners.total).toBeGreaterThanOrEqual(1);
    expect(entities.items).toEqual([entity]);
  });

  test('cause a duplicate error for a used name, and an error for an unknown franchisee', async () => {
    const { name } = await franchisee();
    const taken = await admin.raw('POST', '/franchisees', { name });
    const orphan = await admin.raw('POST', '/legal-entities', {
      franchiseeId: 999_999,
      name: 'Entity',
    });

    expect(taken.status).toBe(409);
    expect(await taken.json()).toMatchObject({ errors: [{ field: 'name', code: 'duplicate' }] });
    expect(orphan.status).toBe(422);
    expect(await orphan.json()).toMatchObject({ errors: [{ field: 'franchiseeId' }] });
  });

  test('exist once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'franchisee-once' };
    const first = await admin.post<Entity>('/franchisees', { name: 'Once' }, headers);
    const second = await admin.post<Entity>('/franchisees', { name: 'Once' }, headers);

    expect(second).toEqual(first);
  });
});

describe.each([
  ['/franchisees', 'franchisee', franchisee],
  ['/legal-entities', 'legal-entity', legalEntity],
] as const)('%s', (path, entityType, create) => {
  const audit = (id: number) =>
    selectRows(
      api.deps.db,
      'audit_entry',
      ['action', 'before', 'after'],
      { entityType, entityId: String(id) },
      { orderBy: 'id' },
    );

  test('returns and changes single rows, with the current version', async () => {
    const created = await create();
    const one = `${path}/${created.id}`;
    const name = `Changed ${created.name} ${created.id}`;
    const changed = await admin.patch<Entity>(one, {
      version: created.version,
      name: `  ${name} `,
    });
    const same = await admin.patch<Entity>(one, { version: changed.version, name });
    const stale = await admin.raw('PATCH', one, { version: created.version, name: 'Other' });
    const empty = await admin.raw('PATCH', one, { version: changed.version, name: '  ' });
    const strange = await admin.raw('PATCH', one, { version: changed.version, isActive: false });

    expect(changed).toMatchObject({ name, version: created.version + 1 });
    expect(same).toEqual(changed);
    expect(await admin.get(one)).toEqual(changed);
    expect(await stale.json()).toMatchObject({
      type: '/problems/version-conflict',
      currentVersion: changed.version,
    });
    expect(await empty.json()).toMatchObject({ errors: [{ field: 'name', code: 'required' }] });
    expect(await strange.json()).toMatchObject({
      errors: [{ field: 'isActive', code: 'unknown_field' }],
    });
    expect((await audit(created.id)).map(({ action }) => action)).toEqual(['create', 'update']);
    expect((await audit(created.id))[1]).toMatchObject({
      before: { name: created.name },
      after: { name },
    });
  });

  test('deactivates and activates rows, each once, with audit and version', async () => {
    const created = await create();
    const one = `${path}/${created.id}`;
    const stale = await admin.raw('POST', `${one}/deactivate`, { version: created.version + 1 });
    const off = await admin.post<Entity>(`${one}/deactivate`, { version: created.version });
    const again = await admin.post<Entity>(`${one}/deactivate`);
    const on = await admin.post<Entity>(`${one}/activate`, { version: off.version });

    expect(stale.status).toBe(409);
    expect(off).toMatchObject({ isActive: false, version: created.version + 1 });
    expect(again).toEqual(off);
    expect(on).toMatchObject({ isActive: true, version: off.version + 1 });
    expect((await audit(created.id)).slice(1)).toMatchObject([
      { action: 'deactivate', before: { isActive: true }, after: { isActive: false } },
      { action: 'activate', before: { isActive: false }, after: { isActive: true } },
    ]);
  });

  test('answers 404 for unknown rows, and a duplicate error for used names and tax ids', async () => {
    const [first, second] = [await create(), await create()];
    const rival = path === '/franchisees' ? { name: first.name } : { taxId: first.taxId };
    const taken = await admin.raw('PATCH', `${path}/${second.id}`, {
      version: second.version,
      ...rival,
    });

    expect((await admin.raw('GET', `${path}/999999`)).status).toBe(404);
    expect((await admin.raw('PATCH', `${path}/999999`, { version: 1, name: 'N' })).status).toBe(
      404,
    );
    expect((await admin.raw('POST', `${path}/999999/deactivate`, {})).status).toBe(404);
    expect((await admin.raw('DELETE', `${path}/${first.id}`)).status).toBe(405);
    expect(taken.status).toBe(409);
    expect(await taken.json()).toMatchObject({ type: '/problems/duplicate' });
  });
});

describe('connections', () => {
  test('[CON-2] never show their credential in answers, rows, audit, outbox or log', async () => {
    const created = await connection();
    const answers = [
      created,
      await admin.get(`/connections/${created.id}`),
      await admin.get(`/connections?legal_entity_id=${created.legalEntityId}`),
      await (
        await admin.raw('POST', '/connections', {
          legalEntityId: 1,
          name: CANARY,
          apiLogin: CANARY,
        })
      ).json(),
    ];
    const rows = await Promise.all(
      ['connection', 'audit_entry', 'outbox', 'idempotency_key'].map((table) =>
        rowTexts(api.deps.db, table),
      ),
    );

    expect(created).toMatchObject({ status: 'ACTIVE', name: 'Main account', version: 1 });
    expect(Object.keys(created)).not.toContain('apiLogin');
    for (const place of [answers, rows, api.logged])
      expect(JSON.stringify(place)).not.toContain(CANARY);
  });

  test('can be disabled once, with the current version, and events follow the answer', async () => {
    const created = await connection();
    const stale = await admin.raw('POST', `/connections/${created.id}/disable`, {
      version: created.version + 5,
    });
    const disabled = await admin.post<Entity>(`/connections/${created.id}/disable`, {
      version: created.version,
    });
    const again = await admin.post<Entity>(`/connections/${created.id}/disable`);

    expect(stale.status).toBe(409);
    expect(await stale.json()).toMatchObject({
      type: '/problems/version-conflict',
      currentVersion: created.version,
    });
    expect(disabled).toMatchObject({ status: 'DISABLED', version: created.version + 1 });
    expect(again).toEqual(disabled);
    expect(deliveries).toBeGreaterThan(0);
  });

  test('[CON-1] require an active owner', async () => {
    const entity = await legalEntity();
    await updateRows(api.deps.db, 'legal_entity', { isActive: false }, { id: entity.id });
    const refused = await admin.raw('POST', '/connections', {
      legalEntityId: entity.id,
      name: 'Account',
      apiLogin: CANARY,
    });

    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ type: '/problems/owner-inactive' });
  });

  test('[CON-1] can be renamed with the current version, without owner, status or credential', async () => {
    const created = await connection();
    const path = `/connections/${created.id}`;
    const renamed = await admin.patch<Entity>(path, {
      version: created.version,
      name: '  Second account ',
    });
    const stale = await admin.raw('PATCH', path, { version: created.version, name: 'Third' });
    const secret = await admin.raw('PATCH', path, {
      version: renamed.version,
      name: `Key ${CANARY.toUpperCase()}`,
    });
    const owner = await admin.raw('PATCH', path, {
      version: renamed.version,
      name: 'Third',
      legalEntityId: 1,
    });

    expect(renamed).toMatchObject({ name: 'Second account', version: created.version + 1 });
    expect(stale.status).toBe(409);
    expect(await secret.json()).toMatchObject({
      errors: [{ field: 'name', code: 'contains_secret' }],
    });
    expect(owner.status).toBe(422);
    expect(await owner.json()).toMatchObject({
      errors: [{ field: 'legalEntityId', code: 'unknown_field' }],
    });
    expect(await admin.get(path)).toEqual(renamed);
  });

  test('[CON-8] accept a new credential, which nothing shows, and restart their imports', async () => {
    const created = await connection();
    const path = `/connections/${created.id}/api-login`;
    const fresh = 'fresh-canary-login-987';
    const stale = await admin.raw('PUT', path, { version: created.version + 1, apiLogin: fresh });
    const named = await admin.raw('PUT', path, { apiLogin: ' main ACCOUNT ' });
    const replaced = await (
      await admin.raw('PUT', path, { version: created.version, apiLogin: ` ${fresh} ` })
    ).json();
    const rows = await Promise.all(
      ['connection', 'audit_entry', 'outbox', 'idempotency_key', 'notification'].map((table) =>
        rowTexts(api.deps.db, table),
      ),
    );
    const [row] = await selectRows(api.deps.db, 'connection', ['apiLoginEncrypted as sealed'], {
      id: created.id,
    });
    const audit = await selectRows(
      api.deps.db,
      'audit_entry',
      ['action', 'after'],
      { entityType: 'connection', entityId: String(created.id) },
      { orderBy: 'id desc', limit: 1 },
    );

    expect(stale.status).toBe(409);
    expect(await named.json()).toMatchObject({
      errors: [{ field: 'apiLogin', code: 'contains_secret' }],
    });
    expect(replaced).toMatchObject({ id: created.id, version: created.version + 1 });
    expect(api.deps.secrets.open('connection.apiLogin', created.id, row?.sealed ?? '')).toBe(fresh);
    expect(audit).toEqual([
      {
        action: 'replace-api-login',
        after: { legalEntityId: created.legalEntityId, name: 'Main account', status: 'ACTIVE' },
      },
    ]);
    for (const place of [replaced, rows, api.logged])
      expect(JSON.stringify(place)).not.toContain(fresh);
  });

  test('can be enabled again, once, if their owner is active', async () => {
    const created = await connection();
    const disabled = await admin.post<Entity>(`/connections/${created.id}/disable`);
    const active = (isActive: boolean) =>
      updateRows(api.deps.db, 'legal_entity', { isActive }, { id: created.legalEntityId });
    await active(false);
    const refused = await admin.raw('POST', `/connections/${created.id}/enable`, {});
    await active(true);
    const stale = await admin.raw('POST', `/connections/${created.id}/enable`, {
      version: disabled.version - 1,
    });
    const enabled = await admin.post<Entity>(`/connections/${created.id}/enable`, {
      version: disabled.version,
    });
    const again = await admin.post<Entity>(`/connections/${created.id}/enable`);

    expect(await refused.json()).toMatchObject({ type: '/problems/owner-inactive' });
    expect(stale.status).toBe(409);
    expect(enabled).toMatchObject({ status: 'ACTIVE', version: disabled.version + 1 });
    expect(again).toEqual(enabled);
  });

  test('[CON-5] cannot be deleted, neither over HTTP nor by a statement', async () => {
    const created = await connection();
    const refused = await admin.raw('DELETE', `/connections/${created.id}`);

    expect(refused.status).toBe(405);
    await expect(
      asOwner(api.deps.db, 'delete from connection where id = $1', [created.id]),
    ).rejects.toThrow('connections are disabled, not deleted');
    await expect(
      api.deps.db.query(
        'update connection set legal_entity_id = (select max(id) from legal_entity where id <> $2) where id = $1',
        [created.id, created.legalEntityId],
      ),
    ).rejects.toThrow('the owner of a connection never changes');
    expect(await admin.get(`/connections/${created.id}`)).toEqual(created);
  });

  test('answer 404 if they are unknown', async () => {
    expect((await admin.raw('GET', '/connections/999999')).status).toBe(404);
    for (const action of ['disable', 'enable'])
      expect((await admin.raw('POST', `/connections/999999/${action}`, {})).status).toBe(404);
    expect(
      (await admin.raw('PATCH', '/connections/999999', { version: 1, name: 'N' })).status,
    ).toBe(404);
    expect(
      (await admin.raw('PUT', '/connections/999999/api-login', { apiLogin: 'abc' })).status,
    ).toBe(404);
  });
});
