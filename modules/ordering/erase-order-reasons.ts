import type { Sql } from '../../platform/db/database.ts';
import { erasePersonal } from '../access/customers/personal-data.ts';

/**
 * Erases the texts of staff about an order: in its audit entries and in the moves of its gifts
 * (rule CMP-109). Entries and moves remain valid, because the chain of digests covers the ids of
 * the texts and not their content.
 */
export async function eraseOrderReasons(tx: Sql, orderId: string): Promise<void> {
  const audited = tx.db
    .selectFrom('audit_entry')
    .select('reasonId')
    .where('entityType', '=', 'order')
    .where('entityId', '=', orderId);
  const moved = tx.db.selectFrom('compensation_move').select('reasonId').where('orderId', '=', orderId);
  const rows = await audited.union(moved).execute();
  await erasePersonal(
    tx,
    rows.flatMap(({ reasonId }) => reasonId ?? []),
  );
}
