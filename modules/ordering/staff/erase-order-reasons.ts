import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { erasePersonal } from '../../access/customers/personal-data.ts';

/** Implements rule CMP-109. Audit digests cover only text ids, so the chain stays valid. */
export async function eraseOrderReasons(tx: Sql, orderId: string): Promise<void> {
  await erasePersonal(tx, await orderReasonIds(tx, [orderId]));
}

export async function orderReasonIds({ db }: Sql, orderIds: readonly string[]): Promise<string[]> {
  const audited = db
    .selectFrom('audit_entry')
    .select('reasonId')
    .where('entityType', '=', 'order')
    .where('entityId', '=', anyOf(orderIds, 'text'));

  const moved = db
    .selectFrom('compensation_move')
    .select('reasonId')
    .where('orderId', '=', anyOf(orderIds, 'uuid'));

  const rows = await audited.union(moved).execute();

  return rows.flatMap(({ reasonId }) => reasonId ?? []);
}
