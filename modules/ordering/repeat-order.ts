import { randomUUID } from 'node:crypto';
import type { Cart } from './schemas/cart.ts';
import { Problem } from '../../kernel/problem.ts';
import type { CartLine } from './rules/cart-facts.ts';
import { evaluateCart } from './rules/evaluate-cart.ts';
import type { Sql } from '../../platform/db/database.ts';
import { once, type Idempotency } from '../../kernel/idempotency.ts';
import { organizationNow, saveCart } from './cart-row.ts';
import { cartView } from './cart-view.ts';
import { NEW_CART, type CartDeps } from './carts.ts';
import { inOneState } from './in-one-state.ts';
import { evaluatedCart } from './settle-cart.ts';
import { erpOrders, knownLines } from './erp-order-view.ts';
import { NO_ORDER } from './order-view.ts';
import { readCartFacts } from './read-cart-facts.ts';

/**
 * Makes a new cart of what an order had and can be sold now; `changes` of the cart tell the rest (rule ORD-42). Gifts, service items and the words
 * of the guest are not repeated. The cart is nobody's, also for a customer, whose own cart stays as it is: posted with their token it
 * joins it. Problem `not-found`.
 */
export function repeatOrder(
  deps: CartDeps,
  orderId: string,
  idempotency: Idempotency | null,
  now: Date,
): Promise<Cart> {
  return inOneState(deps, (tx) =>
    once(tx, idempotency, async () => {
      const order = await tx.db
        .selectFrom('customer_order')
        .select(organizationNow('customer_order.organization_id').as('organizationId'))
        .where('id', '=', orderId)
        .unionAll(
          tx.db
            .selectFrom('erp_order')
            .select(organizationNow('erp_order.organization_id').as('organizationId'))
            .where('id', '=', orderId)
            .where('movedTo', 'is', null),
        )
        .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NO_ORDER }));
      const lines = [...(await readLines(tx, orderId)), ...(await linesFromElsewhere(tx, orderId))];
      const asked = {
        at: now.getTime(),
        customerId: null,
        verifiedPhone: null,
        stored: null,
        timeZone: deps.env.SYNC_TIME_ZONE,
      };
      const reading = await readCartFacts(tx, deps, { id: order.organizationId }, { lines, promocode: null }, asked);
      if (reading === null) throw new Error('An order refers to an organization that does not exist');
      const cart = {
        ...NEW_CART,
        id: randomUUID(),
        customerId: null,
        organizationId: order.organizationId,
        lines,
        promocode: null,
        options: { leaveAtDoor: false, cutlery: 0, sugar: 0 },
        giftChoices: [],
        changes: [],
        delivery: null,
      };
      const evaluated = evaluateCart(cart, reading.facts);
      const saved = evaluatedCart(cart, evaluated, { now, isPosted: true, changes: [] });
      await saveCart(tx, deps, saved);
      return cartView(saved, evaluated, reading);
    }),
  );
}

/** The dishes of an order as lines of a cart. Their prices are the last known ones, until those of now take their place. */
async function readLines({ db }: Sql, orderId: string): Promise<CartLine[]> {
  const rows = await db
    .selectFrom('order_line')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('kind', '=', 'ITEM')
    .orderBy('position')
    .execute();
  return rows.map(({ variantId, productId, erpItemId, name, variantName, quantity, modifiers, unitPriceKopecks }) => ({
    lineId: randomUUID(),
    variantId: variantId ?? 0,
    productId: productId ?? 0,
    itemId: erpItemId,
    name,
    variantName,
    quantity,
    modifiers: modifiers.map(({ groupKey, modifierId, name: shown, quantity: units }) => ({
      groupKey,
      modifierId,
      name: shown,
      quantity: units,
    })),
    comment: null,
    unitPriceKopecks,
    seenPriceKopecks: null,
  }));
}

/**
 * The dishes of an order that was made elsewhere, as far as they are sold here (`orderable`); gifts
 * are not repeated.
 */
async function linesFromElsewhere(from: Sql, orderId: string): Promise<CartLine[]> {
  const rows = await erpOrders(from).where('erp_order.id', '=', orderId).execute();
  const lines = (await knownLines(from, rows)).get(orderId) ?? [];
  return lines
    .filter(({ isGift }) => !isGift)
    .flatMap(({ variantId, productId, ...line }) =>
      variantId === null || productId === null ? [] : [{ ...line, variantId, productId }],
    )
    .map(({ variantId, productId, itemId, name, sizeName, quantity, modifiers, unitPriceKopecks }) => ({
      lineId: randomUUID(),
      variantId,
      productId,
      itemId,
      name,
      variantName: sizeName,
      quantity: Math.max(1, Math.round(quantity)),
      modifiers: modifiers.flatMap((each) =>
        each.groupId === null
          ? []
          : [{ groupKey: each.groupId, modifierId: each.itemId, name: each.name, quantity: Math.round(each.quantity) }],
      ),
      comment: null,
      unitPriceKopecks,
      seenPriceKopecks: null,
    }));
}
