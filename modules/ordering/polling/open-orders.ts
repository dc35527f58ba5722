import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';

export const AT_ORGANIZATION = sql<string>`coalesce("order".erp_organization_erp_id, organization.erp_id)`;

/** Selects orders that the ERP may change, with their ERP ids. */
export const openOrders = ({ db }: Sql, connectionId: number) =>
  db
    .selectFrom('customer_order as order')
    .innerJoin('mirror_organization as organization', 'organization.id', 'order.organizationId')
    .select((eb) => [
      eb.fn.coalesce('order.erpOrderId', 'order.id').as('erpId'),
      AT_ORGANIZATION.as('organizationErpId'),
    ])
    .where('order.connectionId', '=', connectionId)
    .where('order.endedAt', 'is', null)
    .where('order.sentAt', 'is not', null)
    .orderBy('order.id');
