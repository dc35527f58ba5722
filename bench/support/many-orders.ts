import type { Client } from 'pg';

/** Restaurants that the orders are spread over. */
const ORGANIZATIONS = 20;

type Orders = {
  connectionId: number;
  /**
   * A select of `at`, the number of the order from 1 on, and `person`, the id of its personal data.
   */
  from: string;
  /** The state of order `at`; CLOSED by default. */
  state?: string;
};

/** The time of order `at`: one every 30 seconds, the latest now. */
const MADE = `now() - at * interval '30 seconds'`;

/** The organization of row `at`. */
export const placeOf = `(select min(id) from mirror_organization) + at % ${ORGANIZATIONS}`;

/** Inserts the organizations of many orders for a bench. */
export async function insertOrganizations(client: Client, connectionId: number): Promise<void> {
  await client.query(
    `insert into mirror_organization (connection_id, erp_id, name, raw, synchronized_at)
     select $1, gen_random_uuid(), 'organization ' || at, '{}', now() from generate_series(1, ${ORGANIZATIONS}) at`,
    [connectionId],
  );
}

/** Inserts one order for each row of `from`. The parameters of `from` begin with `$2`. */
export async function insertOrders(
  client: Client,
  { connectionId, from, state = `'CLOSED'` }: Orders,
  parameters: readonly unknown[] = [],
): Promise<void> {
  await client.query(
    `insert into customer_order (id, number, day, organization_id, connection_id, cart_id, cart_version, fulfillment_type,
       slot_id, time_zone, due_at, eta_minutes, payment_method, leave_at_door, persons, subtotal_kopecks, discount_kopecks,
       delivery_fee_kopecks, total_kopecks, state, accepted_at, send_until, sent_at, ended_at, customer_id, erp_order_id,
       erp_number, personal_data_id)
     select gen_random_uuid(), (10000 + at % 90000)::text, date '2020-01-01' + at / 2880, ${placeOf}, $1, gen_random_uuid(), 1,
            'PICKUP', 'asap', 'Europe/Moscow', ${MADE}, 20, 'CASH', false, 1, 50000, 0, 0, 50000, ${state}, ${MADE}, ${MADE},
            ${MADE}, case when (${state}) in ('CLOSED', 'CANCELLED', 'FAILED') then ${MADE} end, 'customer-' || at % 100000,
            gen_random_uuid(), at::text, person
       from (${from}) orders`,
    [connectionId, ...parameters],
  );
}
