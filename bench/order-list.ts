import { listStaffOrders, type StaffOrderFilters } from '../modules/ordering/staff/list-staff-orders.ts';
import { phoneDigest } from '../modules/gifts/clients/clients.ts';
import { createSecretBox } from '../platform/secrets.ts';
import { migratedDatabase } from '../test/support/database.ts';
import { inOwnerSession } from '../test/support/database-roles.ts';
import { aConnection } from '../test/support/connection.ts';
import { above, selectRows } from '../test/support/rows.ts';
import { insertOrders, insertOrganizations, placeOf } from './support/many-orders.ts';
import { median, p95, report, type Row } from './support/report.ts';

// `npm run carte -- bench order-list`: the admin list of a million orders in this process, with
// every combination of filters, the first page and the one after it. The yardstick is one page by
// primary key in the same turn.
const [ORDERS, ELSEWHERE] = [Number(process.env['BENCH_ORDERS'] ?? 1_000_000), 100_000];
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2);
const LIMIT_MS = 50;
const SIZE = 50;
const PHONE = '+79990001122';

const STATES = `(array['ACCEPTED','SENT','CONFIRMED','COOKING','READY','ON_THE_WAY','DELIVERED','CANCELLED','FAILED'])`;
/** One of a hundred orders is in a rare state. */
const STATE = `case when at % 100 = 0 then ${STATES}[1 + at / 100 % 9] else 'CLOSED' end`;

const { db, close } = await migratedDatabase();
try {
  const secrets = createSecretBox([{ id: 'bench', key: Buffer.alloc(32, 7) }]);
  const { id: connectionId } = await aConnection(db, 'bench');
  await inOwnerSession(db, async (client) => {
    await client.query('set session_replication_role = replica');
    await insertOrganizations(client, connectionId);
    await client.query(
      `insert into personal_data (id, purpose, data_encrypted, phone_digest)
       select gen_random_uuid(), 'ORDER', 'x', case when at % 50000 = 0 then $1 else 'phone ' || at end
         from generate_series(1, ${ORDERS}) at`,
      [phoneDigest({ secrets }, PHONE)],
    );
    const from = 'select (row_number() over ())::int as at, id as person from personal_data';
    await insertOrders(client, { connectionId, from, state: STATE });
    await client.query(
      `insert into erp_order (id, organization_id, connection_id, number, state, fulfillment_type, time_zone, is_asap, persons,
         lines, moves, total_kopecks, erp_timestamp, placed_at, phone_digest)
       select gen_random_uuid(), ${placeOf}, $1, (10000 + at % 90000)::text, ${STATE}, 'PICKUP', 'Europe/Moscow', true, 1, '[]', '[]',
              50000, 1, now() - at * interval '5 minutes', case when at % 50000 = 0 then $2 end
         from generate_series(1, ${ELSEWHERE}) at`,
      [connectionId, phoneDigest({ secrets }, PHONE)],
    );
    for (const table of ['personal_data', 'customer_order', 'erp_order']) await client.query(`vacuum analyze ${table}`);
    await client.query('checkpoint');
  });
  const [organization] = await selectRows(db, 'mirror_organization', ['id'], {}, { orderBy: 'id', limit: 1 });
  const [order] = await selectRows(db, 'customer_order', ['id'], {}, { orderBy: 'id', limit: 1 });
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const values: Readonly<Record<string, readonly unknown[]>> = {
    q: ['12345', order!.id, PHONE, '777777', 'nothing'],
    from: [ago(30), ago(300)],
    to: [ago(7), ago(200)],
    states: [['CLOSED'], ['FAILED'], ['COOKING', 'FAILED']],
    problems: [['REJECTED_BY_ERP']],
    open: [true],
    atErp: [false, true],
    dueFrom: [ago(1)],
    channel: ['CARTE', 'ERP'],
    organizationId: [organization!.id],
    customerId: ['customer-777'],
  };
  const names = Object.keys(values);
  const combination = (bits: number, turn: number) =>
    Object.fromEntries(
      names
        .filter((_, at) => (bits & (1 << at)) !== 0)
        .map((name) => [name, values[name]![turn % values[name]!.length]]),
    ) as Partial<StaffOrderFilters>;

  const times = new Map<string, number[]>();
  const yardsticks: number[] = [];
  const measure = async (
    what: string,
    filters: Partial<StaffOrderFilters>,
    after: string | null,
    direction: 'asc' | 'desc',
  ) => {
    const begun = performance.now();
    const { next } = await listStaffOrders(
      { db, secrets },
      { mayFindPhones: true, scope: null, ...filters },
      { page: 1, size: SIZE, sort: [{ field: 'at', direction }], cursor: { after, scope: '', counts: 'SOME' } },
    );
    times.set(what, [...(times.get(what) ?? []), performance.now() - begun]);
    const plain = performance.now();
    await selectRows(db, 'customer_order', '*', { id: above(order!.id) }, { orderBy: 'id', limit: SIZE });
    yardsticks.push(performance.now() - plain);
    return next;
  };
  await measure('warm-up', {}, null, 'desc');
  times.clear();
  for (let round = 0; round < ROUNDS * 5; round += 1)
    for (let bits = 0; bits < 1 << names.length; bits += 1)
      for (const direction of ['desc', 'asc'] as const) {
        const filters = combination(bits, bits + round);
        const next = await measure(`first page, ${direction}`, filters, null, direction);
        if (next !== null) await measure(`after a cursor, ${direction}`, filters, next, direction);
      }
  const yardstick = median(yardsticks);
  const row = (what: string, list: readonly number[]): Row => ({
    what: `${what} (${list.length} queries)`,
    measured: `p95 ${p95(list).toFixed(1)} ms, median ${median(list).toFixed(1)} ms`,
    yardstick: `page by primary key ${yardstick.toFixed(2)} ms`,
    ratio: median(list) / yardstick,
    bar: `p95 ≤ ${LIMIT_MS} ms`,
    reached: p95(list) <= LIMIT_MS,
  });
  const rows = [...times].map(([what, list]) => row(what, list));
  await report('order-list', [...rows, row('all of them', [...times.values()].flat())], { orders: ORDERS });
} finally {
  await close();
}
