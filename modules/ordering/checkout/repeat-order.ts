import { randomUUID } from 'node:crypto';
import type { Cart } from '../schemas/cart.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { CartFacts, CartLine } from '../rules/cart-facts.ts';
import { evaluateCart } from '../rules/evaluate-cart.ts';
import { removal } from '../rules/judge-lines.ts';
import { findModifier, type OfferedGroup } from '../rules/modifier-choice.ts';
import { isOrderable } from '../rules/service-items.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { organizationNow, saveCart } from '../cart/cart-row.ts';
import { cartView } from '../cart/cart-view.ts';
import { NEW_CART, type CartDeps } from '../cart/carts.ts';
import { inOneState } from '../cart/in-one-state.ts';
import { evaluatedCart } from '../rules/answered-cart.ts';
import { erpOrders, knownLines } from '../orders/erp-order-view.ts';
import { NO_ORDER } from '../orders/order-view.ts';
import { readCartFacts, toBuyer } from '../cart/read-cart-facts.ts';
import { readOrganization } from '../cart/read-organization.ts';
import { serviceRows } from '../promotions/read-services.ts';

/**
 * Creates an anonymous cart from an order's dishes. `changes` lists dishes that are not sold now
 * (rule ORD-42). The customer's own cart stays until the new cart is sent with the token. Problem
 * `not-found`.
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

      const ordered = [
        ...(await readLines(tx, orderId)),
        ...(await linesFromElsewhere(tx, orderId)),
      ];

      const buyer = {
        ...toBuyer(deps, { customerId: null, verifiedPhone: null }),
        promocode: null,
      };

      const organization = await readOrganization(tx, { id: order.organizationId }, buyer);
      if (organization === undefined)
        throw new Error('An order refers to an organization that does not exist');
      const question = { at: now.getTime(), stored: null };
      const reading = await readCartFacts(tx, deps, organization, { lines: ordered }, question);
      const lines = ordered
        .filter(({ variantId }) => variantId !== NOT_SOLD)
        .map((line) => withOfferedGroups(line, reading.facts.variants));
      const changes = ordered
        .filter(({ variantId }) => variantId === NOT_SOLD)
        .map((line) => ({ ...removal(line), reason: 'NOT_IN_MENU' as const }));
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
      const saved = evaluatedCart(cart, evaluated, { now, isPosted: true, changes });
      await saveCart(tx, deps, saved);

      return cartView(saved, evaluated, reading);
    }),
  );
}

/** A positive id, as the contract requires, that no variant has. */
const NOT_SOLD = Number.MAX_SAFE_INTEGER;

async function readLines({ db }: Sql, orderId: string): Promise<CartLine[]> {
  const rows = await db
    .selectFrom('order_line')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('kind', '=', 'ITEM')
    .orderBy('position')
    .execute();

  return rows.map(
    ({
      variantId,
      productId,
      erpItemId,
      name,
      variantName,
      quantity,
      modifiers,
      unitPriceKopecks,
    }) => ({
      lineId: randomUUID(),
      variantId: variantId ?? NOT_SOLD,
      productId: productId ?? NOT_SOLD,
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
    }),
  );
}

/** Dishes without a variant are reported as removed (rule ORD-105). */
async function linesFromElsewhere(from: Sql, orderId: string): Promise<CartLine[]> {
  const rows = await erpOrders(from).where('erp_order.id', '=', orderId).execute();
  const lines = (await knownLines(from, rows)).get(orderId) ?? [];
  if (lines.length === 0) return [];
  const { rows: services } = await serviceRows.execute(from.db);
  const served = new Set(
    services.filter(({ role }) => !isOrderable(role)).map(({ itemId }) => itemId),
  );

  return lines
    .filter(({ isGift, itemId }) => !isGift && !served.has(itemId))
    .map(
      ({
        variantId,
        productId,
        itemId,
        name,
        sizeName,
        quantity,
        modifiers,
        unitPriceKopecks,
      }) => ({
        lineId: randomUUID(),
        variantId: variantId ?? NOT_SOLD,
        productId: productId ?? NOT_SOLD,
        itemId,
        name,
        variantName: sizeName,
        quantity: wholeUnits(quantity),
        modifiers: modifiers
          .filter((modifier) => modifier.quantity > 0)
          .map((modifier) => ({
            groupKey: modifier.groupId ?? '',
            modifierId: modifier.itemId,
            name: modifier.name,
            quantity: wholeUnits(modifier.quantity),
          })),
        comment: null,
        unitPriceKopecks,
        seenPriceKopecks: null,
      }),
    );
}

/** Quantities in the ERP may be weights. */
const wholeUnits = (quantity: number): number => Math.max(1, Math.round(quantity));

/**
 * The ERP omits the group of a modifier if it has no id, and repeats the id if a dish has the group
 * twice.
 */
function withOfferedGroups(line: CartLine, variants: CartFacts['variants']): CartLine {
  const groups = variants.get(line.variantId)?.groups ?? [];
  return {
    ...line,
    modifiers: line.modifiers.map((modifier) => {
      const fits = ({ groupKey, modifiers }: OfferedGroup) =>
        (modifier.groupKey === '' || groupKey.split('#')[0] === modifier.groupKey) &&
        modifiers.some(({ modifierId }) => modifierId === modifier.modifierId);
      const isOffered = findModifier(groups, modifier) !== undefined;

      return isOffered
        ? modifier
        : { ...modifier, groupKey: groups.find(fits)?.groupKey ?? modifier.groupKey };
    }),
  };
}
