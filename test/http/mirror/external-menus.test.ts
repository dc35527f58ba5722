import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { aConnection } from '../../support/connection.ts';
import { above, addRow, addRows, column, databaseNow, selectRows } from '../../support/rows.ts';

type Menu = {
  id: number;
  erpId: string;
  version: number;
  isEnabled: boolean;
  organizationIds: number[] | null;
};

let api: TestApi;
let admin: AdminClient;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
});
afterAll(() => api.stop());

async function anAccount(): Promise<{
  connectionId: number;
  menuId: number;
  organizationIds: number[];
}> {
  const { db } = api.deps;
  const { id: connectionId } = await aConnection(db, `login ${randomUUID()}`);
  const names = ['Organization 1', 'Organization 2', 'Organization 3'];
  const rows = names.map((name) => ({ connectionId, name, raw: { secret: true } }));
  const organizations = await addRows(db, 'mirror_organization', rows);
  const menu = await addRow(db, 'mirror_external_menu', {
    connectionId,
    erpId: '42',
    name: 'Main menu',
    synchronizedAt: databaseNow(),
  });
  await addRow(db, 'external_menu_setting', { externalMenuId: menu.id });
  await addRow(db, 'mirror_price_category', {
    connectionId,
    erpId: 'pc-1',
    name: 'Delivery',
    synchronizedAt: databaseNow(),
  });
  return {
    connectionId,
    menuId: menu.id,
    organizationIds: organizations.map((organization) => organization.id),
  };
}

const dirty = async (ids: number[]) =>
  (
    await selectRows(
      api.deps.db,
      'snapshot_request',
      ['organizationId as id'],
      { organizationId: ids, dirtySeq: above(column('builtSeq')) },
      { orderBy: 'organizationId' },
    )
  ).map((row) => row.id);

describe('GET /organizations', () => {
  test('lists the organizations of a connection without their raw object', async () => {
    const { connectionId, organizationIds } = await anAccount();
    const page = await admin.get<{ items: { id: number }[]; total: number }>(
      `/organizations?connection_id=${connectionId}&size=2`,
    );

    expect(page.total).toBe(3);
    expect(page.items.map((item) => item.id)).toEqual(organizationIds.slice(0, 2));
    expect(JSON.stringify(page)).not.toContain('secret');
  });
});

describe('GET /terminals and /price-categories', () => {
  test('lists terminals and price categories in pages, with deleted ones, by organization or all', async () => {
    const { connectionId, organizationIds } = await anAccount();
    const [first, second] = organizationIds;
    await addRows(api.deps.db, 'mirror_terminal_group', [
      {
        organizationId: first,
        erpId: randomUUID(),
        name: 'Terrace',
        timeZone: '+03:00',
        isAsleep: true,
        synchronizedAt: databaseNow(),
        inactiveAt: null,
      },
      {
        organizationId: first,
        erpId: randomUUID(),
        name: 'Hall',
        timeZone: null,
        isAsleep: false,
        synchronizedAt: databaseNow(),
        inactiveAt: databaseNow(),
      },
      {
        organizationId: second,
        erpId: randomUUID(),
        name: 'Window',
        timeZone: 'UTC',
        isAsleep: false,
        synchronizedAt: databaseNow(),
        inactiveAt: null,
      },
    ]);
    type Page = { items: Record<string, unknown>[]; total: number; page: number; size: number };

    const terminals = await admin.get<Page>(`/terminals?organization_id=${first}&size=1&page=2`);
    const all = await admin.get<Page>('/terminals');
    const categories = await admin.get<Page>(`/price-categories?connection_id=${connectionId}`);

    expect(terminals).toMatchObject({
      items: [
        {
          name: 'Terrace',
          timeZone: '+03:00',
          isAsleep: true,
          inactiveAt: null,
          organizationId: first,
        },
      ],
      total: 2,
      page: 2,
      size: 1,
    });
    expect(all.items.map((item) => item['name'])).toEqual(
      expect.arrayContaining(['Hall', 'Terrace', 'Window']),
    );
    expect(categories).toMatchObject({
      items: [{ erpId: 'pc-1', name: 'Delivery', connectionId }],
      total: 1,
    });
    expect((await admin.get<Page>('/price-categories?connection_id=999999')).total).toBe(0);
    expect((await admin.raw('GET', '/terminals?organization_id=abc')).status).toBe(422);
  });
});

describe('PATCH /external-menus/{id}', () => {
  test('changes only given fields, with audit, events and outdated menus', async () => {
    const { connectionId, menuId, organizationIds } = await anAccount();
    const [first = 0, second = 0] = organizationIds;
    const changed = await admin.patch<Menu>(`/external-menus/${menuId}`, {
      version: 1,
      organizationIds: [second, first, second],
      priceCategoryId: 'pc-1',
    });
    const { items } = await admin.get<{ items: Menu[] }>(
      `/external-menus?connection_id=${connectionId}`,
    );
    const audit = await selectRows(api.deps.db, 'audit_entry', ['actorType', 'before', 'after'], {
      entityType: 'external-menu',
      entityId: String(menuId),
    });
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
        actorType: 'USER',
        before: {
          isEnabled: true,
          organizationIds: null,
          priceCategoryId: null,
          priority: 100,
          isAsync: false,
        },
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
    // The menu was formerly for all organizations, so the change affects all of them.
    expect(await dirty(organizationIds)).toEqual(organizationIds);
  });

  test('accepts the priority and the asynchronous mode, and shows them', async () => {
    const { menuId } = await anAccount();
    const changed = await admin.patch<Menu>(`/external-menus/${menuId}`, {
      version: 1,
      priority: 5,
      isAsync: true,
    });
    const [stored] = await selectRows(
      api.deps.db,
      'external_menu_setting',
      ['priority', 'isAsync'],
      {
        externalMenuId: menuId,
      },
    );

    expect(changed).toMatchObject({ priority: 5, isAsync: true, version: 2 });
    expect(stored).toEqual({ priority: 5, isAsync: true });
  });

  test('clears null, and writes nothing if nothing changes', async () => {
    const { menuId } = await anAccount();
    const path = `/external-menus/${menuId}`;
    const set = await admin.patch<Menu>(path, { version: 1, priceCategoryId: 'pc-1' });
    const cleared = await admin.patch<Menu>(path, { version: set.version, priceCategoryId: null });
    const same = await admin.patch<Menu>(path, {
      version: cleared.version,
      isEnabled: true,
      priceCategoryId: null,
    });

    expect(cleared).toMatchObject({ priceCategoryId: null, version: 3 });
    expect(same.version).toBe(3);
  });

  test('rejects an old version, ids of another connection and an unknown menu', async () => {
    const { menuId } = await anAccount();
    const other = await anAccount();
    const stale = await admin.raw('PATCH', `/external-menus/${menuId}`, {
      version: 7,
      isEnabled: false,
    });
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

  test('accepts one of two concurrent edits of a version', async () => {
    const { menuId } = await anAccount();
    const change = (priority: string | null) =>
      admin.raw('PATCH', `/external-menus/${menuId}`, {
        version: 1,
        isEnabled: false,
        priceCategoryId: priority,
      });
    const answers = await Promise.all([change('pc-1'), change(null), change('pc-1')]);

    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409,
    ]);
  });
});
