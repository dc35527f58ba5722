import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { aConnection } from '../../support/connection.ts';

type Row = {
  organizationId: number;
  terminalId: number | null;
  balance: number;
  isStopped: boolean;
  name: string;
};
type List = { items: Row[]; total: number; page: number; size: number; next: string | null };

let api: TestApi;
let admin: AdminClient;
let organizationId: number;
let terminalId: number;
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const { db } = api.deps;
  const { id } = await aConnection(db, 'login of stop-lists');
  const [row] = await db.query<{ organizationId: number; terminalId: number }>(
    `with item as (insert into mirror_item (erp_id, role, name, first_seen_at, synchronized_at)
       values ('d0000001-0000-4000-8000-000000000001', 'DISH', 'Soup', now(), now())),
     organization as (insert into mirror_organization (connection_id, erp_id, name, raw, synchronized_at)
       select $1::bigint, gen_random_uuid(), 'Restaurant ' || n, '{}', now() from generate_series(1, 2) n returning id),
     terminal as (insert into mirror_terminal_group (organization_id, erp_id, name, synchronized_at)
       select min(id), 'a0000001-0000-4000-8000-000000000001', 'Hall', now() from organization returning id, organization_id),
     stops as (insert into mirror_stop_list (organization_id, terminal_group_erp_id, item_erp_id, balance, synchronized_run)
       select organization.id, group_id, 'd0000001-0000-4000-8000-000000000001', balance, 1 from organization
        cross join (values ('a0000001-0000-4000-8000-000000000001', 0), ('a0000001-0000-4000-8000-000000000002', 1.5)) as g (group_id, balance))
     select id as "terminalId", organization_id as "organizationId" from terminal`,
    [id],
  );
  ({ organizationId, terminalId } = row!);
});
afterAll(() => api.stop());

const list = (search = '') => admin.get<List>(`/stop-lists${search}`);

test('stop-list rows of an organization or a terminal group have names and pages', async () => {
  expect(await list()).toMatchObject({ total: 4, page: 1, size: 50 });
  expect(await list('?size=3&page=2')).toMatchObject({ total: 4, page: 2, size: 3 });
  expect(await list(`?organization_id=${organizationId}`)).toMatchObject({
    total: 2,
    items: [
      { organizationId, terminalId, name: 'Soup', role: 'DISH', balance: 0, isStopped: true },
      { organizationId, terminalId: null, name: 'Soup', balance: 1.5, isStopped: false },
    ],
  });
  expect((await list(`?terminal_id=${terminalId}`)).items.map((row) => row.balance)).toEqual([0]);
  expect((await list('?organization_id=999999')).items).toEqual([]);
});

test.each(['isStopped,asc', 'isStopped,desc', 'name,desc', 'addedAt,asc', 'balance,desc'])(
  '[HTTP-42] every row is listed once by cursors, sorted by %s',
  async (sort) => {
    const { items: all } = await list(`?sort=${sort}`);
    const found: unknown[] = [];
    let next: string | null = '';
    for (let pages = 0; next !== null && pages < 10; pages += 1) {
      const part: List = await list(
        `?sort=${sort}&size=1${next === '' ? '' : `&after=${encodeURIComponent(next)}`}`,
      );
      found.push(...part.items);
      next = part.next;
    }

    expect(found).toEqual(all);
  },
);

test.each(['?organization_id=x', '?terminal_id=0', '?size=201', '?terminalId=1'])(
  'the query %s is rejected',
  async (search) => {
    expect((await admin.raw('GET', `/stop-lists${search}`)).status).toBe(422);
  },
);
