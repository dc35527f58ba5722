import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { aConnection } from '../../support/connection.ts';

type Menu = { id: number; erpId: string; version: number; isEnabled: boolean; organizationIds: number[] | null };

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

/** A connection with one external menu, one price category and three organizations. */
async function anAccount(): Promise<{ connectionId: number; menuId: number; organizationIds: number[] }> {
  const { db } = api.deps;
  const { id: connectionId } = await aConnection(db, `login ${randomUUID()}`);
  const organizations = await db.query<{ id: number }>(
    `insert into mirror_organization (connection_id, erp_id, name, raw, synchronized_at)
     select $1, gen_random_uuid(), 'Organization ' || n, '{"secret": true}', now() from generate_series(1, 3) n returning id`,
    [connectionId],
  );
  const [menu] = await db.query<{ id: number }>(
    `insert into mirror_external_menu (connection_id, erp_id, name, synchronized_at) values ($1, '42', 'Main menu', now()) returning id`,
    [connectionId],
  );
  await db.query('insert into external_menu_setting (external_menu_id) values ($1)', [menu!.id]);
  await db.query(
    `insert into mirror_price_category (connection_id, erp_id, name, synchronized_at) values ($1, 'pc-1', 'Delivery', now())`,
    [connectionId],
  );
  return { connectionId, menuId: menu!.id, organizationIds: organizations.map((each) => each.id) };
}

const dirty = async (ids: number[]) =>
  (
    await api.deps.db.query<{ id: number }>(
      'select organization_id as id from snapshot_request where organization_id = any ($1) and dirty_seq > built_seq order by 1',
      [ids],
    )
  ).map((row) => row.id);

describe('GET /organizations', () => {
  test('lists those of a connection without their raw object', async () => {
    const { connectionId, organizationIds } = await anAccount();
    const page = await admin.get<{ items: { id: number }[]; total: number }>(
      `/organizations?connection_id=${connectionId}&size=2`,
    );

    expect(page.total).toBe(3);
    expect(page.items.map((each) => each.id)).toEqual(organizationIds.slice(0, 2));
    expect(JSON.stringify(page)).not.toContain('secret');
  });
});

describe('GET /terminals and /price-categories', () => {
  test('list what was imported in pages, gone ones included, of one organization or connection or of all', async () => {
    const { connectionId, organizationIds } = await anAccount();
    const [first, second] = organizationIds;
    await api.deps.db.query(
      `insert into mirror_terminal_group (organization_id, erp_id, name, time_zone, is_asleep, synchronized_at, inactive_at)
       values ($1, gen_random_uuid(), 'Terrace', '+03:00', true, now(), null), ($1, gen_random_uuid(), 'Hall', null, false, now(), now()),
              ($2, gen_random_uuid(), 'Window', 'UTC', false, now(), null)`,
      [first, second],
    );
    type Page = { items: Record<string, unknown>[]; total: number; page: number; size: number };

    const terminals = await admin.get<Page>(`/terminals?organization_id=${first}&size=1&page=2`);
    const all = await admin.get<Page>('/terminals');
    const categories = await admin.get<Page>(`/price-categories?connection_id=${connectionId}`);

    expect(terminals).toMatchObject({
      items: [{ name: 'Terrace', timeZone: '+03:00', isAsleep: true, inactiveAt: null, organizationId: first }],
      total: 2,
      page: 2,
      size: 1,
    });
    expect(all.items.map((each) => each['name'])).toEqual(expect.arrayContaining(['Hall', 'Terrace', 'Window']));
    expect(categories).toMatchObject({ items: [{ erpId: 'pc-1', name: 'Delivery', connectionId }], total: 1 });
    expect((await admin.get<Page>('/price-categories?connection_id=999999')).total).toBe(0);
    expect((await admin.raw('GET', '/terminals?organization_id=abc')).status).toBe(422);
  });
});

describe('PATCH /external-menus/{id}', () => {
  test('changes only what is given, and writes audit, events and dirty marks with it', async () => {
    const { connectionId, menuId, organizationIds } = await anAccount();
    const [first = 0, second = 0] = organizationIds;
    const changed = await admin.patch<Menu>(`/external-menus/${menuId}`, {
      version: 1,
      organizationIds: [second, first, second],
      priceCategoryId: 'pc-1',
    });
    const { items } = await admin.get<{ items: Menu[] }>(`/external-menus?connection_id=${connectionId}`);
    const audit = await api.deps.db.query(
      `select actor_type, before, after from audit_entry where entity_type = 'external-menu' and entity_id = $1`,
      [String(menuId)],
    );
    const events = await api.deps.db.query(
      `select event, payload from outbox where payload ->> 'connectionId' = $1 and event = 'ExternalMenusChanged'`,
      [String(connectionId)],
    );

    expect(changed).toMatchObject({
      isEnabled: true,
      organizationIds: [first, second],
      priceCategoryId: 'pc-1',
      version: 2,
    });
    expect(items).toEqual([changed]);
    expect(audit).toEqual([
      {
        actor_type: 'USER',
        before: { isEnabled: true, organizationIds: null, priceCategoryId: null, priority: 100, isAsync: false },
        after: {
          isEnabled: true,
          organizationIds: [first, second],
          priceCategoryId: 'pc-1',
          priority: 100,
          isAsync: false,
        },
      },
    ]);
    expect(events).toHaveLength(1);
    // Until now the menu was everybody's, so everybody's menu changes.
    expect(await dirty(organizationIds)).toEqual(organizationIds);
  });

  test('takes the priority and the asynchronous mode, and shows them', async () => {
    const { menuId } = await anAccount();
    const changed = await admin.patch<Menu>(`/external-menus/${menuId}`, { version: 1, priority: 5, isAsync: true });
    const [stored] = await api.deps.db.query(
      'select priority, is_async from external_menu_setting where external_menu_id = $1',
      [menuId],
    );

    expect(changed).toMatchObject({ priority: 5, isAsync: true, version: 2 });
    expect(stored).toEqual({ priority: 5, is_async: true });
  });

  test('null clears, and a change that changes nothing writes nothing', async () => {
    const { menuId } = await anAccount();
    const path = `/external-menus/${menuId}`;
    const set = await admin.patch<Menu>(path, { version: 1, priceCategoryId: 'pc-1' });
    const cleared = await admin.patch<Menu>(path, { version: set.version, priceCategoryId: null });
    const same = await admin.patch<Menu>(path, { version: cleared.version, isEnabled: true, priceCategoryId: null });

    expect(cleared).toMatchObject({ priceCategoryId: null, version: 3 });
    expect(same.version).toBe(3);
  });

  test('refuses an old version, ids of another connection and an unknown menu', async () => {
    const { menuId } = await anAccount();
    const other = await anAccount();
    const stale = await admin.raw('PATCH', `/external-menus/${menuId}`, { version: 7, isEnabled: false });
    const foreign = await admin.raw('PATCH', `/external-menus/${menuId}`, {
      version: 1,
      organizationIds: other.organizationIds,
      priceCategoryId: 'unknown',
    });
    const unknown = await admin.raw('PATCH', '/external-menus/999999', { version: 1 });

    expect([stale.status, foreign.status, unknown.status]).toEqual([409, 422, 404]);
    expect(await stale.json()).toMatchObject({ currentVersion: 1 });
    expect(await foreign.json()).toMatchObject({
      errors: [{ field: 'organizationIds' }, { field: 'priceCategoryId' }],
    });
  });

  test('of two at once with one version one wins', async () => {
    const { menuId } = await anAccount();
    const change = (priority: string | null) =>
      admin.raw('PATCH', `/external-menus/${menuId}`, { version: 1, isEnabled: false, priceCategoryId: priority });
    const answers = await Promise.all([change('pc-1'), change(null), change('pc-1')]);

    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });
});
