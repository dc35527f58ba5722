import { sql, type RawBuilder } from 'kysely';
import type { Row } from '../../../platform/db/row.ts';

export type OrderCounts = Row<
  'erp_gift_order',
  'day' | 'organizationErpId' | 'erpOrderId as orderId',
  { atErp: number; redeemed: number; unauthorized: number }
>;

type Column = RawBuilder<unknown>;

/** `has` selects the days to count. */
export type CountedDays = {
  first: Column;
  has: (day: Column, organizationErpId: Column) => RawBuilder<boolean>;
};

/**
 * Counts reported gifts and redeemed rights per order (rule CMP-55), without canceled orders (rule
 * CMP-96). A right is redeemed on its order's day or later. One more day covers time zones.
 */
export const orderCounts = ({ first, has }: CountedDays) => sql<OrderCounts>`
  ${reportedOrders(has)} union all ${unreportedOrders(first, has)}`;

const reportedOrders = (has: CountedDays['has']) => sql`
  select seen.day, seen.organization_erp_id, seen.erp_order_id as order_id,
         (select coalesce(sum(line.quantity), 0) from erp_gift_line line where line.gift_order_id = seen.id)::int as at_erp,
         (select coalesce(sum(quantity), 0) from compensation
           where redeemed_order_id = any (array_append(seen.former_erp_order_ids, seen.erp_order_id) || seen.own_order_id))::int as redeemed,
         (select coalesce(sum(quantity), 0) from unauthorized_gift
           where gift_order_id = seen.id and status <> 'WITHDRAWN')::int as unauthorized
    from erp_gift_order seen
   where seen.status <> 'Cancelled' and ${has(sql.ref('seen.day'), sql.ref('seen.organization_erp_id'))}`;

const unreportedOrders = (first: Column, has: CountedDays['has']) => sql`
  select own.day, organization.erp_id, own.id, 0, sum(compensation.quantity)::int, 0
    from compensation
    join customer_order own on own.id = compensation.redeemed_order_id
    join mirror_organization organization on organization.id = own.organization_id
   where own.state <> 'CANCELLED' and compensation.redeemed_at >= ${first} - 1 and ${has(sql.ref('own.day'), sql.ref('organization.erp_id'))}
     and not exists (select from erp_gift_order seen where seen.own_order_id = own.id)
   group by own.id, organization.erp_id`;

export const DIFFERS = sql<boolean>`at_erp <> redeemed + unauthorized`;

/** Null if no order differs. */
export const FINGERPRINT = sql<string | null>`
  md5(string_agg(concat_ws(':', order_id, at_erp, redeemed, unauthorized), ',' order by order_id) filter (where ${DIFFERS}))`;
