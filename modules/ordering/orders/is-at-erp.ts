import { sql, type SqlBool } from 'kysely';

/**
 * A condition on rows of `customer_order`: the ERP has the order, as far as it has reported (rule
 * ORD-170). An order that was sent, or withdrawn, is there once the ERP has named it.
 */
export const IS_AT_ERP = sql<SqlBool>`(state <> 'FAILED' and (
  state not in ('ACCEPTED', 'SENT', 'CANCELLED') or erp_order_id is not null or erp_timestamp is not null))`;
