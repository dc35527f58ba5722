import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { addRow, updateRows } from '../../support/rows.ts';

type Row = Record<string, unknown>;
type Page = { items: Row[]; page: number; size: number; total: number; next?: string | null };

let api: TestApi;
let admin: AdminClient;
let rows: ReturnType<typeof menuRows>;
/** Two halves of the fixture. Filters use values of the first. */
let one: Half;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rows = menuRows(api.deps.db);
  one = await aHalf(
    'красный',
    { status: 'OPEN', severity: 'CRITICAL' },
    { job: 'MENU', status: 'SUCCESS' },
  );
  await aHalf(
    'синий',
    { status: 'CLOSED', severity: 'INFO' },
    { job: 'TERMINALS', status: 'FAILED' },
  );
});
afterAll(() => api.stop());

type Half = Awaited<ReturnType<typeof aHalf>>;

/** All filtered values differ from the other half. */
async function aHalf(
  word: string,
  incident: { status: 'OPEN' | 'CLOSED'; severity: string },
  run: { job: string; status: string },
) {
  const { db } = api.deps;
  const isFirst = incident.status === 'OPEN';
  const connectionId = await rows.connection();
  const { id: organizationId } = await rows.organization(connectionId);
  if (!isFirst)
    await updateRows(db, 'mirror_organization', { inactiveAt: new Date() }, { id: organizationId });
  const menuId = await rows.externalMenu(connectionId, {});
  const terminalErpId = crypto.randomUUID();
  const terminalId = await rows.insert('mirror_terminal_group', {
    organization_id: organizationId,
    erp_id: terminalErpId,
    name: word,
    synchronized_at: new Date(),
  });
  const priceCategory = {
    connection_id: connectionId,
    erp_id: word,
    name: word,
    synchronized_at: new Date(),
  };
  await rows.insert('mirror_price_category', priceCategory);
  const dish = await rows.dish({
    menuId,
    categoryId: await rows.category(),
    prices: { [organizationId]: 10_000 },
  });
  const stopped = await rows.item({
    name: `${word} суп`,
    type: isFirst ? 'DISH' : 'GOODS',
    product_category_erp_id: word,
    first_seen_at: isFirst ? '2019-01-01T12:00:00Z' : new Date(),
  });
  await rows.size(stopped.id);
  await rows.stop(organizationId, stopped.erpId, { terminal_group_erp_id: terminalErpId });
  const menuCategory = {
    external_menu_id: menuId,
    erp_id: word,
    name: word,
    position: 0,
    synchronized_run: 1,
  };
  const menuCategoryId = await rows.insert('mirror_menu_category', menuCategory);
  const placement = {
    menu_category_id: menuCategoryId,
    item_id: stopped.id,
    position: 0,
    synchronized_run: 1,
  };
  await rows.insert('mirror_item_placement', placement, 'item_id');
  if (isFirst)
    await addRow(db, 'catalog_item_binding', { itemId: dish.itemId, productId: dish.productId });
  else await addRow(db, 'catalog_item_triage', { itemId: stopped.id, status: 'IGNORED' });

  const groupId = await rows.group(menuId, dish.sizeId, {
    group_key: `${word}-key`,
    name: `${word} соусы`,
  });
  const modifier = await rows.modifier(menuId, { [organizationId]: 100 });
  await updateRows(db, 'mirror_item', { name: `${word} соус` }, { id: modifier.itemId });
  await rows.link(groupId, modifier.itemId);

  const closed = isFirst ? {} : { resolution: 'DISMISSED', closed_at: new Date() };
  await rows.insert('binding_incident', {
    type: isFirst ? 'ITEM_MISSING' : 'NAME_CHANGED',
    ...incident,
    ...closed,
    evaluation: 1,
    detected_by_run_id: isFirst ? 501 : 502,
    product_id: dish.productId,
    variant_id: dish.variantId,
    last_known: { erpItemId: dish.erpId, sku: null, name: word, price: null, lastSeenAt: null },
  });
  const runId = isFirst ? 501 : 502;
  const at = isFirst ? '2020-01-01T12:00:00Z' : '2021-01-01T12:00:00Z';
  await rows.insert('sync_run', {
    id: runId,
    ...run,
    mode: 'FULL',
    trigger: isFirst ? 'SCHEDULE' : 'MANUAL',
    reason: isFirst ? 'CHECKED' : 'NOT_JSON',
    started_at: at,
    finished_at: at,
    connection_id: connectionId,
    external_menu_id: isFirst ? menuId : null,
    result: { applied: { changed: isFirst } },
  });
  const { id: userId } = await api.user('VIEWER');
  await rows.insert('audit_entry', {
    actor_type: 'USER',
    actor_id: userId,
    at,
    action: 'test',
    entity_type: isFirst ? 'badge' : 'media',
    entity_id: `id-${isFirst}`,
  });
  const itemErpIds = [dish.erpId, modifier.erpId];
  return {
    connectionId,
    organizationId,
    terminalId,
    userId,
    menuId,
    productId: dish.productId,
    word,
    itemErpIds,
  };
}

type Filter = { query: (of: Half) => string; holds: (row: Row, of: Half) => boolean };
const equals = (parameter: string, column: string, value: (of: Half) => unknown): Filter => ({
  query: (of) => `${parameter}=${encodeURIComponent(String(value(of)))}`,
  holds: (row, of) => row[column] === value(of),
});
/** A row that does not show why it matches must be in the result of `query` for the first half. */
const speaks = (parameter: string, column: string, value: (of: Half) => string): Filter => ({
  query: (of) => `${parameter}=${encodeURIComponent(value(of))}`,
  holds: (row, of) => String(row[column]).includes(of.word),
});
const nested = (
  parameter: string,
  value: (of: Half) => unknown,
  read: (row: Row) => unknown,
): Filter => ({
  query: (of) => `${parameter}=${encodeURIComponent(String(value(of)))}`,
  holds: (row, of) => read(row) === value(of),
});

const FILTERS: Readonly<Record<string, Readonly<Record<string, Filter>>>> = {
  '/binding-incidents': {
    status: equals('status', 'status', () => 'OPEN'),
    severity: equals('severity', 'severity', () => 'CRITICAL'),
    product_id: nested(
      'product_id',
      (of) => of.productId,
      (row) => (row['product'] as { id: number }).id,
    ),
    type: equals('type', 'type', () => 'ITEM_MISSING'),
    organization_id: {
      query: (of) => `organization_id=${of.organizationId}`,
      holds: (row, of) => (row['organizationIds'] as number[]).includes(of.organizationId),
    },
    run_id: equals('run_id', 'detectedByRunId', () => 501),
  },
  '/erp/items': {
    q: speaks('q', 'name', (of) => `${of.word} су`),
    bound: { query: () => 'bound=true', holds: (row) => row['boundProduct'] !== null },
    type: equals('type', 'type', () => 'DISH'),
    organization_id: {
      query: (of) => `organization_id=${of.organizationId}`,
      holds: (row, of) => of.itemErpIds.includes(String(row['itemId'])),
    },
    has_price: {
      query: () => 'has_price=true',
      holds: (row) => !String(row['name']).endsWith('суп'),
    },
    first_seen_since: {
      query: () => 'first_seen_since=2020-01-01T00:00:00Z',
      holds: (row) => String(row['firstSeenAt']) > '2020',
    },
    product_category_id: nested(
      'product_category_id',
      (of) => of.word,
      (row) => (row['productCategory'] as { id: string } | null)?.id,
    ),
    menu_category_id: speaks('menu_category_id', 'name', (of) => of.word),
    triage: equals('triage', 'triage', () => 'NEW'),
  },
  '/modifier-groups': { q: speaks('q', 'name', (of) => of.word) },
  '/modifiers': {
    q: speaks('q', 'name', (of) => of.word),
    group_key: speaks('group_key', 'name', (of) => `${of.word}-key`),
  },
  '/organizations': {
    connection_id: equals('connection_id', 'connectionId', (of) => of.connectionId),
    active: { query: () => 'active=true', holds: (row) => row['inactiveAt'] === null },
  },
  '/terminals': {
    organization_id: equals('organization_id', 'organizationId', (of) => of.organizationId),
  },
  '/stop-lists': {
    organization_id: equals('organization_id', 'organizationId', (of) => of.organizationId),
    terminal_id: equals('terminal_id', 'terminalId', (of) => of.terminalId),
  },
  '/external-menus': {
    connection_id: equals('connection_id', 'connectionId', (of) => of.connectionId),
  },
  '/price-categories': {
    connection_id: equals('connection_id', 'connectionId', (of) => of.connectionId),
  },
  '/sync/runs': {
    job: equals('job', 'job', () => 'MENU'),
    status: equals('status', 'status', () => 'SUCCESS'),
    connection_id: equals('connection_id', 'connectionId', (of) => of.connectionId),
    external_menu_id: {
      query: (of) => `external_menu_id=${of.menuId}`,
      holds: (row) => row['id'] === 501,
    },
    organization_id: {
      query: (of) => `organization_id=${of.organizationId}`,
      holds: (row, of) => row['connectionId'] === of.connectionId,
    },
    trigger: equals('trigger', 'trigger', () => 'SCHEDULE'),
    reason: equals('reason', 'reason', () => 'CHECKED'),
    from: {
      query: () => 'from=2020-06-01T00:00:00Z',
      holds: (row) => String(row['startedAt']) >= '2020-06',
    },
    to: {
      query: () => 'to=2020-06-01T00:00:00Z',
      holds: (row) => String(row['startedAt']) < '2020-06',
    },
    changed: { query: () => 'changed=true', holds: (row) => row['id'] === 501 },
  },
  '/audit': {
    entity_type: equals('entity_type', 'entityType', () => 'badge'),
    entity_id: equals('entity_id', 'entityId', () => 'id-true'),
    user_id: equals('user_id', 'userId', (of) => of.userId),
    from: {
      query: () => 'from=2020-06-01T00:00:00%2B03:00',
      holds: (row) => String(row['at']) >= '2020-05-31T21',
    },
    to: {
      query: () => 'to=2020-06-01T00:00:00Z',
      holds: (row) => String(row['at']) < '2020-06-01',
    },
  },
};
const CASES = Object.entries(FILTERS).flatMap(([path, filters]) =>
  Object.entries(filters).map(([name, filter]) => ({ path, name, filter })),
);

const continues = (path: string): boolean =>
  routes.some((route) => route.path === path && 'after' in (route.query?.properties ?? {}));

describe('lists of the admin API', () => {
  test('offer every filter of the table', () => {
    for (const [path, filters] of Object.entries(FILTERS)) {
      const route = routes.find(
        (entry) => entry.api === 'admin' && entry.method === 'GET' && entry.path === path,
      );
      const parameters = Object.keys(route?.query?.properties ?? {});
      expect({ path, filters: Object.keys(filters).toSorted() }).toEqual({
        path,
        filters: parameters
          .filter((name) => !['page', 'size', 'sort', 'after'].includes(name))
          .toSorted(),
      });
    }
  });

  test.each(CASES)(
    'GET $path ?$name returns exactly the matching rows',
    async ({ path, filter }) => {
      const all = await admin.get<Page>(`${path}?size=200`);
      const found = await admin.get<Page>(`${path}?size=200&${filter.query(one)}`);
      const wanted = all.items.filter((row) => filter.holds(row, one));

      expect(all.total).toBe(all.items.length);
      expect(wanted.length).toBeGreaterThan(0);
      expect(wanted.length).toBeLessThan(all.total);
      expect(found).toMatchObject({ items: wanted, page: 1, size: 200, total: wanted.length });
      expect(found.next ?? null).toBeNull();
    },
  );

  test.each(Object.keys(FILTERS))(
    'GET %s returns in pages the whole list, in its order',
    async (path) => {
      const all = await admin.get<Page>(`${path}?size=200`);
      const [first, last] = [
        await admin.get<Page>(`${path}?size=1`),
        await admin.get<Page>(`${path}?size=1&page=${all.total}`),
      ];

      expect(first).toMatchObject({
        items: all.items.slice(0, 1),
        page: 1,
        size: 1,
        total: all.total,
      });
      expect(last).toMatchObject({
        items: all.items.slice(-1),
        page: all.total,
        size: 1,
        total: all.total,
      });
      expect((await admin.get<Page>(`${path}?page=${all.total + 1}&size=1`)).items).toEqual([]);
      expect((await admin.raw('GET', `${path}?size=201`)).status).toBe(422);
      expect((await admin.raw('GET', `${path}?colour=red`)).status).toBe(422);
    },
  );

  test.each(Object.keys(FILTERS).filter(continues))(
    '[HTTP-42] GET %s returns the whole list by cursors',
    async (path) => {
      const all = await admin.get<Page>(`${path}?size=200`);
      const read: Row[] = [];
      let after: string | null = '';
      while (after !== null) {
        const page: Page = await admin.get<Page>(
          `${path}?size=1${after === '' ? '' : `&after=${after}`}`,
        );
        read.push(...page.items);
        after = page.next ?? null;
      }

      expect(read).toEqual(all.items);
    },
  );
});
