import { sql, type SqlBool } from 'kysely';

/** SQL condition on `customer_order` for orders that the ERP has reported (rule ORD-170). */
export const IS_AT_ERP = sql<SqlBool>`(state <> 'FAILED' and (
  state not in ('ACCEPTED', 'SENT', 'CANCELLED') or erp_order_id is not null or erp_timestamp is not null))`;
