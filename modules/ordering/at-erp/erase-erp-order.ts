import { momentText } from '../../delivery/rules/schedule.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { ERASED } from './save-erp-orders.ts';

/** Returns false if the guest was already erased. */
export async function eraseErpOrder({ db }: Sql, orderId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('erp_order')
    .set(ERASED)
    .where('id', '=', orderId)
    .where('erasedAt', 'is', null)
    .executeTakeFirstOrThrow();

  return numUpdatedRows > 0n;
}

/** Returns null if the guest was not erased. */
export async function erpOrderErasedAt({ db }: Sql, orderId: string): Promise<string | null> {
  const { erasedAt, timeZone } = await db
    .selectFrom('erp_order')
    .select(['erasedAt', 'timeZone'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();

  return erasedAt === null ? null : momentText(erasedAt.getTime(), timeZone);
}
