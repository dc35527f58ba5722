import { isDeepStrictEqual } from 'node:util';
import { json, type Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { saveCart, type StoredCart } from './cart-row.ts';

/** Saves the whole cart if its version is new, otherwise only its changes and delivery. */
export async function settleCart(
  tx: Sql,
  deps: { secrets: SecretBox },
  storedCart: StoredCart,
  cart: StoredCart,
): Promise<void> {
  if (cart.version !== storedCart.version) return saveCart(tx, deps, cart);
  const differing = {
    ...(cart.changes.length === storedCart.changes.length ? {} : { changes: json(cart.changes) }),
    ...(isDeepStrictEqual(cart.delivery, storedCart.delivery)
      ? {}
      : { delivery: cart.delivery === null ? null : json(cart.delivery) }),
  };
  if (Object.keys(differing).length > 0)
    await tx.db.updateTable('cart').set(differing).where('id', '=', cart.id).execute();
}
