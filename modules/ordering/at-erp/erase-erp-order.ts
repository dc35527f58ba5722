import { momentText } from '../../delivery/rules/schedule.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { ERASED } from './save-erp-orders.ts';

/**
 * Erases the data of the guest of an order from another channel: a digest and an id of the ERP,
 * which later reports do not restore. Returns false if they were erased before.
 */
export async function eraseErpOrder({ db }: Sql, orderId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('erp_order')
    .set(ERASED)
    .where('id', '=', orderId)
    .where('erasedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The moment at which the guest of an order from another channel was erased, or null. */
export async function erpOrderErasedAt({ db }: Sql, orderId: string): Promise<string | null> {
  const { erasedAt, timeZone } = await db
    .selectFrom('erp_order')
    .select(['erasedAt', 'timeZone'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  return erasedAt === null ? null : momentText(erasedAt.getTime(), timeZone);
}
