import { sql } from 'kysely';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { OrderToSend } from '../rules/erp-order.ts';
import { raiseNotification, resolveNotification } from '../../notifications/raise-notification.ts';
import { DELIVERY_FEE_ROLE, serviceRows } from '../promotions/read-services.ts';

const KIND = 'DELIVERY_FEE_IN_WORDS';
const SUBJECT = 'connection';

const feePrices = sql`
  select service.item_id, service.size_erp_id, price.organization_id, price.price_kopecks
    from (${serviceRows}) service
    join mirror_price price on price.item_size_id = service.item_size_id and price.lost_at is null
   where service.role = ${DELIVERY_FEE_ROLE}`;

/** Null unless the price equals the fee, because the ERP rejects other prices (rule ORD-65). */
export async function findFeeItem(
  { db }: Sql,
  { organizationId, deliveryFeeKopecks }: { organizationId: number; deliveryFeeKopecks: number },
): Promise<OrderToSend['deliveryFeeItem']> {
  if (deliveryFeeKopecks === 0) return null;
  const { rows } = await sql<Row<'mirror_item', 'erpId', { sizeErpId: string | null }>>`
    select item_id as erp_id, nullif(size_erp_id, '') as size_erp_id from (${feePrices}) sold
     where organization_id = ${organizationId} and price_kopecks = ${deliveryFeeKopecks} limit 1`.execute(
    db,
  );

  return rows[0] ?? null;
}

type FeeOfOrder = Pick<OrderToSend, 'orderId' | 'number' | 'deliveryFee' | 'deliveryFeeItem'> & {
  connectionId: number;
  organizationId: number;
};

/**
 * Notifies staff once per connection if a fee is sent as text although an item has the role.
 * Resolves the notification once items exist for all fees of the last day (rule ORD-77).
 */
export async function tellFeeInWords(tx: Tx, order: FeeOfOrder): Promise<void> {
  const { connectionId, organizationId, deliveryFee, deliveryFeeItem } = order;
  if (deliveryFee === 0) return;
  if (deliveryFeeItem !== null) return endFeeInWords(tx, connectionId);
  const role = await tx.db
    .selectFrom('service_role')
    .select('role')
    .where('role', '=', DELIVERY_FEE_ROLE)
    .executeTakeFirst();
  // If no item has the role, text is intended.
  if (role === undefined) return resolveNotification(tx, KIND, SUBJECT, connectionId);

  const { rows } = await sql<Row<'mirror_price', 'priceKopecks'>>`
    select price_kopecks from (${feePrices}) sold
     where organization_id = ${organizationId} order by price_kopecks`.execute(tx.db);
  await raiseNotification(tx, {
    kind: KIND,
    subjectType: SUBJECT,
    subjectId: connectionId,
    details: {
      organizationId,
      orderId: order.orderId,
      number: order.number,
      deliveryFee: deliveryFee / 100,
      itemPrices: rows.map((row) => row.priceKopecks / 100),
    },
  });
}

async function endFeeInWords(tx: Tx, connectionId: number): Promise<void> {
  const notification = await tx.db
    .selectFrom('notification')
    .select('id')
    .where('kind', '=', KIND)
    .where('subjectType', '=', SUBJECT)
    .where('subjectId', '=', String(connectionId))
    .where('resolvedAt', 'is', null)
    .executeTakeFirst();
  if (notification === undefined) return;

  const { rows } = await sql`
    select 1 from customer_order recent
     where recent.connection_id = ${connectionId} and recent.delivery_fee_kopecks > 0
       and recent.accepted_at > now() - interval '1 day'
       and not exists (
         select 1 from (${feePrices}) sold
          where sold.organization_id = recent.organization_id and sold.price_kopecks = recent.delivery_fee_kopecks)
     limit 1`.execute(tx.db);
  if (rows.length === 0) await resolveNotification(tx, KIND, SUBJECT, connectionId);
}
