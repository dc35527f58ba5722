import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inOwnerSession } from './database-roles.ts';
import { addRow } from './rows.ts';
import type { Database } from './text-database.ts';

/** Rows of the largest and of medium tables, and uses of a discount. */
export type LargeRows = { largest: number; medium: number; uses: number };

/** The size of a chain after some months. */
const MILLION: LargeRows = { largest: 1_000_000, medium: 100_000, uses: 50_000 };

/** Older orders have no lines, which saves minutes. */
const RECENT = `number like 'large-%' and accepted_at > now() - interval '30 days'`;

/** `$1` is an organization, `$2` its connection. The rows cause no pending work. */
const buildFills = (rows: LargeRows): Readonly<Record<string, string>> => ({
  customer_order: `
    insert into customer_order (id, number, day, organization_id, connection_id, cart_id, cart_version, fulfillment_type,
      slot_id, time_zone, due_at, eta_minutes, payment_method, leave_at_door, persons, subtotal_kopecks, discount_kopecks,
      delivery_fee_kopecks, total_kopecks, state, accepted_at, send_until, sent_at, ended_at, customer_id, erp_order_id)
    select gen_random_uuid(), 'large-' || at, date '2025-01-01' + at % 300, $1, $2, gen_random_uuid(), 1, 'PICKUP', 'asap',
           'Europe/Moscow', made, 20, 'CASH', false, 1, 50000, 0, 0, 50000, 'CLOSED', made, made, made, made,
           'customer-' || at % 100000, gen_random_uuid()
      from (select at, now() - interval '1 hour' - at * interval '30 seconds' as made
              from generate_series(1, ${rows.largest}) at) orders`,
  order_line: `
    insert into order_line (order_id, position, kind, erp_item_id, name, quantity, base_price_kopecks, unit_price_kopecks,
      line_total_kopecks)
    select id, 0, 'ITEM', gen_random_uuid(), 'dish', 1, 50000, 50000, 50000 from customer_order
     where ${RECENT}`,
  order_move: `
    insert into order_move (order_id, state, by, at) select id, 'ACCEPTED', 'CUSTOMER', accepted_at from customer_order
     where ${RECENT}`,
  order_decision: `
    insert into order_decision (order_id, decision, decided_at)
    select id, '{"facts": {}, "findings": []}', accepted_at from customer_order
     where ${RECENT}`,
  outbox: `
    insert into outbox (event, payload, created_at, delivered_at)
    select 'CatalogChanged', '{}', now() - interval '1 day', now() - interval '1 day' from generate_series(1, ${rows.largest})`,
  personal_data: `
    insert into personal_data (id, purpose, data_encrypted, created_at)
    select gen_random_uuid(), (array['ORDER', 'COMMENT'])[1 + at % 2], repeat('x', 100), now() - interval '1 day'
      from generate_series(1, ${rows.largest}) at`,
  discount_use: `
    insert into discount_use (discount_id, order_id, customer_id)
    select discount.id, used.id, used.customer_id from discount,
           (select id, customer_id from customer_order limit ${rows.uses}) used
     where discount.code = 'LARGE'`,
  idempotency_key: `
    insert into idempotency_key (scope, key, fingerprint, status, body)
    select 'large', at::text, '', 201, '{}' from generate_series(1, ${rows.medium}) at`,
  cart: `
    insert into cart (id, organization_id, options, answered)
    select gen_random_uuid(), $1, '{}', '' from generate_series(1, ${rows.medium}) at where $2::bigint is not null`,
  order_quote: `
    insert into order_quote (id, cart_id, cart_version, digest, terms, sums, sums_digest, is_binding, valid_until)
    select gen_random_uuid(), id, 1, 'large', '{}', '{}', '', true, now() + interval '5 minutes' from cart`,
  erp_order: `
    insert into erp_order (id, organization_id, connection_id, number, state, fulfillment_type, time_zone, is_asap, persons,
      lines, moves, total_kopecks, erp_timestamp, placed_at, phone_digest, erp_customer_id)
    select gen_random_uuid(), $1, $2, 'large-' || at, 'CLOSED', 'PICKUP', 'Europe/Moscow', true, 1, '[]', '[]', 50000, 1,
           now() - at * interval '1 minute', case when at % 10 > 0 then 'phone-' || at end, gen_random_uuid() from generate_series(1, ${rows.medium}) at`,
  compensation_client: `
    insert into compensation_client (id, connection_id, phone_digest, erp_customer_id)
    select gen_random_uuid(), $2, 'phone-' || at, gen_random_uuid() from generate_series(1, ${rows.medium}) at where $1::bigint is not null`,
  client_card: `
    insert into client_card (client_id, read_at) select id, now() - interval '1 day' from compensation_client`,
  compensation: `
    insert into compensation (id, client_id, reward_id, reason, source, granted_by, granted_at, status, redeemed_order_id, redeemed_at)
    select gen_random_uuid(), client.id, reward.id, 'OTHER', 'ADMIN', 'SYSTEM', now() - interval '2 days', 'REDEEMED',
           gen_random_uuid(), now() - interval '1 day'
      from compensation_client client, reward where reward.code = 'LARGE'`,
  compensation_move: `
    insert into compensation_move (compensation_id, version, move, to_status, actor_type, reward_id, at)
    select id, 0, 'GRANT', 'GRANTED', 'SYSTEM', reward_id, granted_at from compensation`,
  gift_reconciliation: `
    insert into gift_reconciliation (day, organization_erp_id, connection_id, at_erp, redeemed, unauthorized, differing_orders, checked_at)
    select current_date - at % 300, gen_random_uuid(), $2, 1, 1, 0, 0, now() - interval '1 hour'
      from generate_series(1, ${rows.medium}) at where $1::bigint is not null`,
  notification: `
    insert into notification (kind, severity, subject_type, subject_id, raised_at, resolved_at)
    select 'ORDER_DIVERGENCE', 'CRITICAL', 'order', at::text, now() - interval '1 day', now() - interval '1 day'
      from generate_series(1, ${rows.medium}) at`,
  webhook_event: `
    insert into webhook_event (event_key, event_type, raw, received_at, processed_at)
    select at::text, 'StopListUpdate', '{}', now() - interval '1 day', now() - interval '1 day'
      from generate_series(1, ${rows.medium}) at`,
  window_count: `
    insert into window_count (key, times, ends_at)
    select 'large-' || at, 1, now() + interval '1 hour' from generate_series(1, ${rows.medium}) at`,
  security_event: `
    insert into security_event (kind, occurred_at)
    select 'SIGN_IN_REFUSED', now() - interval '2 days' from generate_series(1, ${rows.medium}) at`,
  access_sign_on: `
    insert into access_sign_on (state_digest, browser_digest, return_to, expires_at)
    select 'large-' || at, '', '/', now() + interval '10 minutes' from generate_series(1, ${rows.medium}) at`,
});

export const LARGE_TABLES = Object.keys(buildFills(MILLION));

/**
 * Fills the tables that grow with guests. Records the uses of a discount, and twice as many in its
 * total.
 */
export async function fillLargeTables(
  db: Database,
  { organizationId, connectionId }: { organizationId: number; connectionId: number },
  rows: LargeRows = MILLION,
): Promise<number> {
  const { id } = await addRow(db, 'discount', {
    code: 'LARGE',
    name: 'Large',
    kind: 'PERCENT',
    value: 5,
    isCombinable: true,
  });
  await addRow(db, 'reward', {
    code: 'LARGE',
    name: 'Large',
    erpItemId: randomUUID(),
    isActive: false,
  });
  await inOwnerSession(db, async (client) => {
    // Foreign keys and triggers per row would take minutes.
    await client.query('set session_replication_role = replica');
    await client.query(`set maintenance_work_mem = '256MB'`);
    for (const [table, fill] of Object.entries(buildFills(rows))) {
      const indexes = await dropIndexes(client, table);
      await client.query(fill, fill.includes('$1') ? [organizationId, connectionId] : []);
      for (const index of indexes) await client.query(index);
      await client.query(`vacuum analyze ${table}`);
    }
    await client.query('set session_replication_role = origin');
    await client.query('update discount set total_uses = $1 where id = $2', [2 * rows.uses, id]);
    await client.query('vacuum analyze discount_count');
    // Prevents a checkpoint during the measurements.
    await client.query('checkpoint');
  });
  return id;
}

/**
 * Drops the indexes that no constraint needs: creating them again is faster than maintaining them.
 */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}
