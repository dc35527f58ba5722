import { isDeepStrictEqual } from 'node:util';
import { json, type Sql } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { answeredOf, hasOtherServices, saveCart, type StoredCart } from './cart-row.ts';
import type { EvaluatedCart, ServerChange } from './rules/cart-facts.ts';

/**
 * Returns a cart as it must be stored after an evaluation. The version rises by one if guests would pay for something else than was last
 * answered, or if a guest posted the cart; what the server has changed gets that version, `changes` included (rules ORD-11, ORD-14).
 * Otherwise returns the same cart. Pure.
 */
export function evaluatedCart(
  cart: StoredCart,
  evaluated: EvaluatedCart,
  { now, isPosted, changes }: { now: Date; isPosted: boolean; changes: readonly ServerChange[] },
): StoredCart {
  const answered = answeredOf(evaluated);
  if (!isPosted && changes.length === 0 && answered === cart.answered) return cart;
  const version = cart.version + 1;
  const ofServices: ServerChange[] =
    !isPosted && hasOtherServices(cart.answered, evaluated) ? [{ action: 'SERVICE_ITEMS_CHANGED' }] : [];
  return {
    ...cart,
    lines: evaluated.lines,
    changes: [
      ...cart.changes.filter(({ action }) => !ofServices.some((change) => change.action === action)),
      ...[...changes, ...evaluated.changes, ...ofServices].map((change) => ({ ...change, version })),
    ],
    answered,
    updatedAt: now,
    version,
  };
}

/**
 * Writes a cart that is stored as `stored`, with at most one statement: all of it if its version has changed, otherwise only the changes
 * that the guest has not accepted and the delivery.
 */
export async function settleCart(
  tx: Sql,
  deps: { secrets: SecretBox },
  stored: StoredCart,
  cart: StoredCart,
): Promise<void> {
  if (cart.version !== stored.version) return saveCart(tx, deps, cart);
  const differing = {
    ...(cart.changes.length === stored.changes.length ? {} : { changes: json(cart.changes) }),
    ...(isDeepStrictEqual(cart.delivery, stored.delivery)
      ? {}
      : { delivery: cart.delivery === null ? null : json(cart.delivery) }),
  };
  if (Object.keys(differing).length > 0)
    await tx.db.updateTable('cart').set(differing).where('id', '=', cart.id).execute();
}
