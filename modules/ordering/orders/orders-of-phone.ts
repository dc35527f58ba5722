import { anyOf, type Sql } from '../../../platform/db/database.ts';

/**
 * Finds orders by phone or its ERP customers (rule ORD-106). Matches the indexes `erp_order_phone`
 * and `erp_order_customer`.
 */
export const ordersOfPhone = ({ db }: Sql, digests: readonly string[]) =>
  db
    .selectFrom('erp_order')
    .select('id')
    .where('phoneDigest', '=', anyOf(digests, 'text'))
    .where('movedTo', 'is', null)
    .unionAll(
      db
        .selectFrom('erp_order')
        .innerJoin('compensation_client as client', (join) =>
          join
            .onRef('client.connectionId', '=', 'erp_order.connectionId')
            .onRef('client.erpCustomerId', '=', 'erp_order.erpCustomerId'),
        )
        .select('erp_order.id')
        .where('client.phoneDigest', '=', anyOf(digests, 'text'))
        .where('erp_order.phoneDigest', 'is', null)
        .where('erp_order.erpCustomerId', 'is not', null),
    );
