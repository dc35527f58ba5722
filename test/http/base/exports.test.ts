import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { MOST_EXPORTS } from '../../../api/http/exports.ts';
import { keepPersonal } from '../../../modules/access/customers/personal-data.ts';
import { phoneDigest } from '../../../modules/gifts/clients/clients.ts';
import type { OrderPersonal } from '../../../modules/ordering/orders/order-personal.ts';
import { adminClient, newcomerClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { readAudit } from '../../support/audit.ts';
import { inOwnerSession } from '../../support/database-roles.ts';
import { eventually } from '../../support/processes.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { rightsFixture } from '../../support/rights.ts';
import { updateRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
let finder: AdminClient;
let fixture: Awaited<ReturnType<typeof rightsFixture>>;
let place: { organizationId: number; organizationErpId: string; connectionId: number };
/** An organization whose orders exceed the buffers of a connection. */
let busy: typeof place;
const MANY = 40_000;
/** The only order of `place` with a stored guest. */
const guestOrder = randomUUID();
const PHONE = '+79990001122';

beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  fixture = await rightsFixture(api.deps.db);
  [place, busy] = [await fixture.rows.restaurant(), await fixture.rows.restaurant()];
  await addOrders(place, 3);
  await addOrders(busy, MANY);
  await admin.post('/roles', {
    code: 'EXPORTER',
    name: 'Exports orders',
    permissions: ['orders.read', 'catalog.read', 'compensations.read'],
  });
  const password = 'an exporter who signs in';
  await admin.post('/users', {
    email: 'exporter@carte.test',
    password,
    fullName: 'E',
    roles: ['EXPORTER'],
  });
  finder = await newcomerClient(api.url, 'exporter@carte.test', password);
  const personal: OrderPersonal = {
    customer: { name: '=HYPERLINK("x")', phone: PHONE },
    address: null,
    comment: null,
    lineComments: {},
  };
  const personalDataId = await api.deps.db.transaction((tx) =>
    keepPersonal(tx, api.deps, 'ORDER', personal, { phoneDigest: phoneDigest(api.deps, PHONE) }),
  );
  const [first] = await api.deps.db.query<{ id: string }>(
    'select id from customer_order where organization_id = $1 order by accepted_at desc limit 1',
    [place.organizationId],
  );
  await updateRows(
    api.deps.db,
    'customer_order',
    { personalDataId, id: guestOrder },
    { id: first!.id },
  );
});
afterAll(() => api.stop());

const addOrders = (at: typeof place, count: number) =>
  inOwnerSession(api.deps.db, async (client) => {
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into customer_order (id, number, day, organization_id, connection_id, cart_id, cart_version, fulfillment_type,
         slot_id, time_zone, due_at, eta_minutes, payment_method, leave_at_door, persons, subtotal_kopecks, discount_kopecks,
         delivery_fee_kopecks, total_kopecks, state, accepted_at, send_until, sent_at, ended_at, erp_order_id)
       select gen_random_uuid(), at::text, date '2025-01-01', $1, $2, gen_random_uuid(), 1, 'PICKUP', 'asap',
              'Europe/Moscow', made, 20, 'CASH', false, 1, 50000, 100, 0, 49900, 'CLOSED', made, made, made, made,
              gen_random_uuid()
         from (select at, now() - at * interval '1 minute' as made from generate_series(1, ${count}) at) orders`,
      [at.organizationId, at.connectionId],
    );
  });

const readLines = async (answer: Promise<Response>) =>
  (await (await answer).text()).trimEnd().split('\n');
const readCsv = async (path: string, client = admin) => {
  const [header = '', ...lines] = await readLines(client.raw('GET', path));
  const names = header.replace('\uFEFF', '').trimEnd().split(',');
  return lines.map((line) =>
    Object.fromEntries(
      line
        .trimEnd()
        .split(',')
        .map((cell, at) => [names[at], cell]),
    ),
  );
};
const readJsonLines = async (path: string, headers: Record<string, string> = {}) =>
  (await readLines(admin.raw('GET', path, undefined, headers))).map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );
const orders = (at: typeof place, more = '') =>
  `/exports/orders?organization_id=${at.organizationId}${more}`;
const until = (what: string, probe: () => boolean | Promise<boolean>) =>
  eventually(what, async () => ((await probe()) ? true : undefined));
const readEnds = async (kind: string) =>
  (await readAudit(api.deps, 'export', kind))
    .filter(({ action }) => action === 'end')
    .map(({ after }) => after);

describe('an export', () => {
  test('[HTTP-44, ORD-128] contains CSV with a byte order mark, whole kopecks and ISO 8601 times', async () => {
    const answer = await admin.raw('GET', orders(place));
    const bytes = new Uint8Array(await answer.clone().arrayBuffer());
    const rows = await readCsv(orders(place));
    const listed = await admin.get<{ items: { orderId: string }[] }>(
      `/orders?organization_id=${place.organizationId}`,
    );

    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(rows.map(({ id }) => id)).toEqual(listed.items.map(({ orderId }) => orderId));
    expect(rows[1]).toMatchObject({
      number: '2',
      channel: 'CARTE',
      organization_id: place.organizationErpId,
      status: 'CLOSED',
      fulfillment: 'PICKUP',
      subtotal_kopecks: '50000',
      discount_kopecks: '100',
      total_kopecks: '49900',
      guest_name: '',
    });
    expect(rows[1]!['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/);
  });

  test('[HTTP-44] contains JSONL for clients that accept or request it, and ends with its number of rows', async () => {
    const accepted = await readJsonLines(orders(place), { accept: 'application/x-ndjson' });
    const requested = await readJsonLines(orders(place, '&format=jsonl&q=2'));
    const empty = await readJsonLines(orders(place, '&format=jsonl&status=FAILED'));

    expect(accepted).toHaveLength(4);
    expect(accepted[1]).toMatchObject({ number: '2', total_kopecks: 49_900, guest_name: null });
    expect(accepted.at(-1)).toEqual({ end: true, rows: 3 });
    expect(requested.map(({ number }) => number)).toEqual(['2', undefined]);
    expect(empty).toEqual([{ end: true, rows: 0 }]);
  });

  test('[ORD-128] contains every order of the filter once, over many pages', async () => {
    const rows = await readJsonLines(orders(busy, '&format=jsonl'));

    expect(rows.at(-1)).toEqual({ end: true, rows: MANY });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(MANY + 1);
  });

  test('[ORD-130, HTTP-44] shows the guest to users who may manage orders, and no formula', async () => {
    const [shown] = await readCsv(orders(place, `&q=${guestOrder}`));
    const [hidden] = await readCsv(orders(place, `&q=${guestOrder}`), finder);

    expect(shown).toMatchObject({
      id: guestOrder,
      guest_name: `"'=HYPERLINK(""x"")"`,
      guest_phone: `'${PHONE}`,
    });
    expect(hidden).toMatchObject({
      id: guestOrder,
      guest_name: '',
      guest_phone: '',
      guest_address: '',
    });
  });

  test('[ORD-130] finds no phone for users who may not manage orders', async () => {
    const q = `&q=${encodeURIComponent(PHONE)}`;

    expect((await readCsv(orders(place, q))).map(({ id }) => id)).toEqual([guestOrder]);
    expect(await readCsv(orders(place, q), finder)).toEqual([]);
  });

  test('[ACC-38] appears in the audit with user, object, filters and rows, without phones', async () => {
    const before = (await readAudit(api.deps, 'export', 'orders')).length;
    await readCsv(orders(place, `&status=CLOSED&q=${encodeURIComponent('8 (999) 000-11-22')}`));
    const entries = (await readAudit(api.deps, 'export', 'orders')).slice(before);

    expect(entries).toMatchObject([
      {
        action: 'begin',
        userName: expect.any(String),
        after: {
          format: 'csv',
          filters: { organization_id: place.organizationId, status: ['CLOSED'], q: '[masked]' },
        },
      },
      { action: 'end', after: { rows: 1, isWhole: true } },
    ]);
    expect(entries[0]!.requestId).toBe(entries[1]!.requestId);
  });

  test('[HTTP-45] ends early if a page cannot be read, with its rows in the audit and an error in the log', async () => {
    const { db } = api.deps;
    const [broken] = await db.query<{ id: string }>(
      `insert into personal_data (id, purpose, data_encrypted) values (gen_random_uuid(), 'ORDER', 'damaged') returning id`,
    );
    await db.query(
      `update customer_order set personal_data_id = $1 where organization_id = $2 and number = '2500'`,
      [broken!.id, busy.organizationId],
    );
    const answer = await admin.raw('GET', orders(busy));
    const logged = () => api.logged.filter(({ msg }) => msg === 'an export was cut off');

    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow(/terminated|aborted/);
    await until(
      'the audit has the end',
      async () => (await readEnds('orders')).at(-1)?.['rows'] === 2_000,
    );
    expect(logged()).toMatchObject([{ kind: 'orders', rows: 2_000 }]);
    expect((await readEnds('orders')).at(-1)).toEqual({ rows: 2_000, isWhole: false });
    await db.query(
      'update customer_order set personal_data_id = null where personal_data_id = $1',
      [broken!.id],
    );
  });

  test('[HTTP-46] fails beyond the process limit, and a client that stops reading occupies no statement', async () => {
    const abort = new AbortController();
    const ended = (await readEnds('orders')).length;
    const running = await Promise.all(
      Array.from({ length: MOST_EXPORTS }, () =>
        fetch(`${api.url}/api/admin/v1${orders(busy, '&format=jsonl')}`, {
          headers: { authorization: `Bearer ${admin.accessToken}` },
          signal: abort.signal,
        }),
      ),
    );
    const sessions = async () =>
      await api.deps.db.query(
        `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            and state <> 'idle' and query like '%customer_order%'`,
      );
    await until('no statement runs', async () => (await sessions()).length === 0);
    const refused = await admin.raw('GET', orders(place));
    abort.abort();
    await until(
      'both ends are in the audit',
      async () => (await readEnds('orders')).length === ended + MOST_EXPORTS,
    );
    const ends = (await readEnds('orders')).slice(ended);

    expect(running.map(({ status }) => status)).toEqual(
      Array.from({ length: MOST_EXPORTS }, () => 200),
    );
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(await awaitRefusal(Promise.resolve(refused))).toMatchObject({
      status: 503,
      type: '/problems/busy',
    });
    expect(ends.filter((end) => end?.['isWhole'] === true)).toEqual([]);
    expect((await admin.raw('GET', orders(place))).status).toBe(200);
  });

  test('[HTTP-46] ends with a HEAD request and after a rejected filter', async () => {
    await admin.raw('HEAD', orders(busy));
    const refused = await admin.raw('GET', '/exports/compensations?client=no-phone-at-all');
    await until('the exports have ended', () => api.deps.exports.running === 0);

    expect(refused.status).toBe(422);
  });
});

test('[CMP-119] gifts are exported with the filters of their list, which continues by cursors', async () => {
  const phone = '+79990007788';
  const clientId = await fixture.client({ phone });
  const rights = [
    await fixture.grant({ clientId }),
    await fixture.grant({ clientId }),
    await fixture.grant({ clientId }),
  ];
  await fixture.grant();
  const exported = await readCsv(
    `/exports/compensations?client=${encodeURIComponent(phone)}`,
    finder,
  );
  type Page = { items: { id: string }[]; next: string | null };
  const read: string[] = [];
  let after: string | null = '';
  while (after !== null) {
    const page: Page = await admin.get<Page>(
      `/compensations?size=2&client=${encodeURIComponent(phone)}${after === '' ? '' : `&after=${after}`}`,
    );
    read.push(...page.items.map(({ id }) => id));
    after = page.next;
  }

  expect(read.toSorted()).toEqual(rights.toSorted());
  expect(exported.map(({ id }) => id)).toEqual(read);
  expect(exported[0]).toMatchObject({
    status: 'GRANTED',
    client_id: clientId,
    client_phone: "'+7******7788",
    quantity: '1',
  });
  expect((await readAudit(api.deps, 'export', 'compensations'))[0]!.after).toMatchObject({
    filters: { client: '[masked]' },
  });
});

describe('[HTTP-109] a link to an export', () => {
  const createLink = (of: AdminClient, body: object) => of.raw('POST', '/exports/links', body);
  const open = (path: string) => fetch(`${api.url}${path}`);

  test('downloads once without a token, in the name of its user', async () => {
    const query = `organization_id=${place.organizationId}&status=CLOSED&status=FAILED`;
    const answer = await createLink(finder, { kind: 'orders', query });
    const { path } = (await answer.json()) as { path: string };
    const [first, second] = [await open(path), await open(path)];
    const rows = (await first.text()).trim().split('\r\n');

    expect(answer.status).toBe(200);
    expect([first.status, second.status]).toEqual([200, 404]);
    expect(rows).toHaveLength(4);
    expect(first.headers.get('content-disposition')).toMatch(
      /^attachment; filename="orders-.*\.csv"$/,
    );
    for (const other of ['x', '.x', '.', '%3D', '='])
      expect((await open(path + other)).status).toBe(404);
  });

  test('survives HEAD and a rejection for other exports, and HEAD shows its use', async () => {
    const { path } = (await (await createLink(finder, { kind: 'products' })).json()) as {
      path: string;
    };
    api.deps.exports.running += MOST_EXPORTS;
    const refused = await open(path);
    api.deps.exports.running -= MOST_EXPORTS;
    const headers = await fetch(`${api.url}${path}`, { method: 'HEAD' });

    expect(refused.status).toBe(503);
    expect(headers.status).toBe(200);
    expect((await open(path)).status).toBe(200);
    expect((await fetch(`${api.url}${path}`, { method: 'HEAD' })).status).toBe(404);
  });

  test('fails for unknown parameters and for lists that the user may not read', async () => {
    const { email, password } = await api.user('VIEWER');
    const viewer = await adminClient(api.url, email, password);

    expect((await createLink(finder, { kind: 'orders', query: 'colour=red' })).status).toBe(422);
    expect((await createLink(viewer, { kind: 'compensations' })).status).toBe(403);
  });

  test('ends with the session of its user', async () => {
    const { id, email, password } = await api.user('VIEWER');
    const leaver = await adminClient(api.url, email, password);
    const { path } = (await (await createLink(leaver, { kind: 'products' })).json()) as {
      path: string;
    };
    await admin.raw('DELETE', `/users/${id}`);

    expect((await open(path)).status).toBe(404);
  });
});
