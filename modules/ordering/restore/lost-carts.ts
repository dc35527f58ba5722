import type { Sql, Tx } from '../../../platform/db/database.ts';
import { cartAddressErasure } from '../../delivery/addresses/kept-addresses.ts';
import type { OrderWitness } from './lost-executions.ts';
import type { CartRow, Stored } from './lost-order.ts';

/**
 * Returns the execution's cart, or else all carts with the same dishes, because none may be ordered
 * again.
 */
export async function findCarts(
  { db }: Sql,
  {
    organizationId,
    witness,
    stored,
    restoredTo,
  }: { organizationId: number; witness: OrderWitness | null; stored: Stored; restoredTo: Date },
): Promise<CartRow[]> {
  const carts = db.selectFrom('cart').select(['id', 'customerId', 'promocode', 'version', 'lines']);
  if (witness?.cartId != null) return carts.where('id', '=', witness.cartId).execute();
  const rows = await carts
    .where('organizationId', '=', organizationId)
    .where('updatedAt', '<=', restoredTo)
    .orderBy('id')
    .execute();

  const ordered = listUnits(stored.lines);

  return rows.filter(
    ({ lines }) => lines.length > 0 && listUnits(lines).every((unit) => ordered.includes(unit)),
  );
}

function listUnits(lines: readonly { itemId: string; quantity: number }[]): string[] {
  return [...Map.groupBy(lines, ({ itemId }) => itemId.toLowerCase())].map(
    ([itemId, same]) => `${itemId} ${same.reduce((sum, { quantity }) => sum + quantity, 0)}`,
  );
}

/** Deletes ordered carts with their addresses (rule ORD-114). */
export async function closeCarts(tx: Tx, carts: readonly CartRow[]): Promise<void> {
  for (const { id } of carts) {
    await cartAddressErasure(tx.db, id).execute();
    await tx.db.deleteFrom('cart').where('id', '=', id).execute();
  }
}
