import { readOverview } from '../../../modules/sync-status/read-overview.ts';
import { clientById } from '../../../modules/ordering/staff/client-overview.ts';
import { listStaffOrders } from '../../../modules/ordering/staff/list-staff-orders.ts';
import { testSecrets } from '../../../test/support/connection.ts';
import { migratedDatabase } from '../../../test/support/database.ts';
import { asOwner } from '../../../test/support/database-roles.ts';
import { fillLargeTables } from '../../../test/support/large-database.ts';
import { menuRows } from '../../../test/support/menu-rows.ts';
import { selectRows } from '../../../test/support/rows.ts';
import type { Database } from '../../../test/support/text-database.ts';
import { median, p95, type Row } from '../report.ts';

const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 1_000_000);
const RESTAURANTS = [10, 300, 1_000];
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3) * 20;
const ENV = { SYNC_TIME_ZONE: 'Europe/Moscow' };
const PAGE = { page: 1, size: 50, cursor: { after: null, scope: '', counts: 'SOME' as const } };

/**
 * Measures reads of staff over a million orders: a guest, orders by problem, and all restaurants in
 * one answer. Baseline: one order by primary key.
 */
export async function measureStaff(): Promise<Row[]> {
  const { db, close } = await migratedDatabase();
  try {
    const rows = menuRows(db);
    const place = await rows.restaurant();
    await fillLargeTables(db, place, { largest: ORDERS, medium: ORDERS / 10, uses: ORDERS / 20 });
    await asOwner(db, PROBLEMS);
    const organizationIds = await manyRestaurants(db, place.connectionId, Math.max(...RESTAURANTS));
    const clients = await selectRows(
      db,
      'compensation_client',
      ['id'],
      {},
      { orderBy: 'id', limit: ROUNDS },
    );

    const [order] = await selectRows(db, 'customer_order', ['id'], {}, { orderBy: 'id', limit: 1 });
    const deps = { db, secrets: testSecrets };
    const yardstick = await times(() => selectRows(db, 'customer_order', '*', { id: order!.id }));

    const row = async (
      what: string,
      barMs: number,
      work: (round: number) => Promise<unknown>,
    ): Promise<Row> => {
      const taken = await times(work);
      return {
        what: `${what} (${ROUNDS} times)`,
        measured: `p95 ${p95(taken).toFixed(1)} ms, median ${median(taken).toFixed(1)} ms`,
        yardstick: `order by primary key ${median(yardstick).toFixed(2)} ms`,
        ratio: median(taken) / median(yardstick),
        bar: `p95 ≤ ${barMs} ms`,
        reached: p95(taken) <= barMs,
      };
    };

    const found = [
      await row('one guest by id', 50, (round) =>
        clientById(deps, clients[round % clients.length]!.id, { mayReadGifts: true }),
      ),
      await row('orders of a problem, a page', 50, () =>
        listStaffOrders(
          deps,
          { problems: ['DEADLINE_PASSED'], mayFindPhones: true, scope: null },
          PAGE,
        ),
      ),
      await row('orders of two rare problems, a page', 50, () =>
        listStaffOrders(
          deps,
          { problems: ['NEVER_ENDED', 'NOT_CONFIGURED'], mayFindPhones: true, scope: null },
          PAGE,
        ),
      ),
    ];

    for (const count of RESTAURANTS) {
      const scope = organizationIds.slice(0, count);
      const read = async () =>
        JSON.stringify(await readOverview({ db, env: ENV } as never, scope, Date.now()));
      found.push(await row(`overview of ${count} restaurants`, 300, read));
    }

    return found;
  } finally {
    await close();
  }
}

/** Returns the milliseconds of each run of `work` after the warm-up. */
async function times(work: (round: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = -2; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await work(Math.max(0, round));
    if (round >= 0) taken.push(performance.now() - begun);
  }

  return taken;
}

/** One order in 200 has failed, and one in 100,000 never ended. */
const PROBLEMS = `
  update customer_order set state = 'FAILED', problem = case when position('00000' in number) > 0 then 'NEVER_ENDED' else 'DEADLINE_PASSED' end
   where substr(number, 7)::int % 200 = 0`;

async function manyRestaurants(
  db: Database,
  connectionId: number,
  count: number,
): Promise<number[]> {
  const made = await db.query<{ id: number }>(
    `insert into mirror_organization (connection_id, name, raw, synchronized_at, erp_id)
     select $1, 'Restaurant ' || at, '{}', now(), gen_random_uuid() from generate_series(1, $2::int) at returning id::int`,
    [connectionId, count],
  );

  const ids = made.map(({ id }) => id);
  for (const fill of FILLS) await db.query(fill, [ids]);
  await asOwner(db, 'analyze');

  return ids;
}

/** `$1` is a list of restaurant ids. Twenty restaurants share their hours. */
const FILLS: readonly string[] = [
  `insert into ordering_config (organization_id, delivery_enabled, pickup_enabled) select unnest($1::bigint[]), true, true`,
  `insert into ordering_schedule (organization_id, windows)
   select id, (select jsonb_agg(jsonb_build_object('dayOfWeek', day, 'channel', channel, 'opensAt', lpad((6 + id % 5)::text, 2, '0') || ':00',
            'closesAt', (20 + id % 4)::text || ':30', 'crossesMidnight', false))
            from generate_series(1, 7) day, unnest(array['DELIVERY', 'DINE_IN']) channel)
     from unnest($1::bigint[]) id`,
  `insert into mirror_terminal_group (organization_id, erp_id, name, is_asleep, synchronized_at)
   select id, gen_random_uuid(), 'Till ' || at, at = 3, now() from unnest($1::bigint[]) id, generate_series(1, 3) at`,
  `insert into mirror_stop_list (organization_id, item_erp_id, balance, synchronized_run)
   select id, gen_random_uuid(), 0, 1 from unnest($1::bigint[]) id, generate_series(1, 30) at`,
  `insert into snapshot (organization_id, organization_erp_id, revision, generated_at, etag, content_hash, payload, payload_gzip, payload_br,
     availability, stop_index, product_count)
   select organization.id, erp_id, 7, now(), 'e', 'c', '', '', '', '', '{}', 200 from mirror_organization organization where id = any ($1)`,
  `insert into busy_mode (organization_id, extra_minutes, until)
   select id, 20, now() + interval '2 hours' from unnest($1::bigint[]) id where id % 10 = 0`,
  `insert into customer_order (id, number, day, organization_id, connection_id, cart_id, cart_version, fulfillment_type, slot_id, time_zone,
     due_at, eta_minutes, payment_method, leave_at_door, persons, subtotal_kopecks, discount_kopecks, delivery_fee_kopecks, total_kopecks,
     state, accepted_at, send_until)
   select gen_random_uuid(), 'open-' || at, current_date, organization.id, connection_id, gen_random_uuid(), 1, 'PICKUP', 'asap', 'Europe/Moscow',
          now(), 20, 'CASH', false, 1, 50000, 0, 0, 50000, 'COOKING', now(), now()
     from mirror_organization organization, generate_series(1, 6) at where organization.id = any ($1)`,
];
