import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { erasePersonal } from '../../access/customers/personal-data.ts';

/**
 * Erases the texts of staff about an order: in its audit entries and in the moves of its gifts
 * (rule CMP-109). Entries and moves remain valid, because the chain of digests covers the ids of
 * the texts and not their content.
 */
export async function eraseOrderReasons(tx: Sql, orderId: string): Promise<void> {
  await erasePersonal(tx, await orderReasonIds(tx, [orderId]));
}

/** Ids of the texts of staff about some orders, for erasure and export. */
export async function orderReasonIds({ db }: Sql, orderIds: readonly string[]): Promise<string[]> {
  const audited = db
    .selectFrom('audit_entry')
    .select('reasonId')
    .where('entityType', '=', 'order')
    .where('entityId', '=', anyOf(orderIds, 'text'));
  const moved = db.selectFrom('compensation_move').select('reasonId').where('orderId', '=', anyOf(orderIds, 'uuid'));
  const rows = await audited.union(moved).execute();
  return rows.flatMap(({ reasonId }) => reasonId ?? []);
}
