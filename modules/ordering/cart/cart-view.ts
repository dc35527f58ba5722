import type { Cart } from '../schemas/cart.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import { imageReference } from '../../media/rules/image-reference.ts';
import { isOfContent, type CartChange, type EvaluatedCart } from '../rules/cart-facts.ts';
import type { StoredCart } from './cart-row.ts';
import { linesOutsideHours } from '../rules/line-hours.ts';
import { changeText, type GuestTexts } from '../orders/guest-texts.ts';
import type { CartReading } from './read-cart-facts.ts';

export function cartView(cart: StoredCart, evaluated: EvaluatedCart, reading: CartReading): Cart {
  const { organization, images, facts, texts } = reading;
  const outside = new Map(
    linesOutsideHours(evaluated.lines, facts, facts.at).map((line) => [line.lineId, line]),
  );

  return {
    cartId: cart.id,
    version: cart.version,
    organizationId: organization.erpId,
    menuRevision: organization.menuRevision,
    updatedAt: momentText(cart.updatedAt.getTime(), facts.timeZone),
    lines: evaluated.lines.map((line) => {
      const image = images.get(line.variantId);
      const availableFrom = outside.get(line.lineId)?.availableFrom ?? null;

      return {
        lineId: line.lineId,
        productId: line.productId,
        variantId: line.variantId,
        name: line.name,
        variantName: line.variantName,
        image: image === undefined ? null : imageReference(image),
        quantity: line.quantity,
        modifiers: line.pricedModifiers.map(
          ({ groupId, modifierId, name, quantity, freeQuantity, unitPriceKopecks }) => ({
            groupId,
            modifierId,
            name,
            quantity,
            freeQuantity,
            unitPrice: unitPriceKopecks,
          }),
        ),
        comment: line.comment,
        unitPrice: line.unitPriceKopecks,
        lineTotal: line.lineTotalKopecks,
        priceChanged: line.priceChanged,
        available: line.available && !outside.has(line.lineId),
        availableFrom: availableFrom === null ? null : momentText(availableFrom, facts.timeZone),
      };
    }),
    promocode: cart.promocode,
    options: cart.options,
    subtotal: evaluated.subtotalKopecks,
    discounts: evaluated.discounts.map(({ code, name, amountKopecks, reason }) => ({
      code,
      name,
      applied: reason === null,
      amount: amountKopecks,
      reason,
      message: reason === null ? null : texts.discounts[reason],
    })),
    gifts: giftViews(evaluated, reading),
    serviceItems: evaluated.serviceItems.map(({ role, name, quantity, isHidden }) => ({
      role,
      name,
      quantity,
      unitPrice: 0,
      lineTotal: 0,
      hidden: isHidden,
    })),
    deliveryFee: evaluated.deliveryFeeKopecks,
    total: evaluated.totalKopecks,
    changes: cart.changes.filter(isOfContent).map((change) => changeView(texts, change)),
    persons: evaluated.persons,
  };
}

export function changeView(texts: GuestTexts, change: CartChange): Cart['changes'][number] {
  const { lineId, variantId, itemId, name, action, quantity, removedModifiers, reason } = change;
  return {
    lineId,
    variantId,
    itemId,
    name,
    action,
    quantity: quantity ?? null,
    removedModifiers: [...removedModifiers],
    reason,
    message: changeText(texts, change),
  };
}

export function giftViews({ gifts }: EvaluatedCart, { facts }: CartReading): Cart['gifts'] {
  return gifts.shown.map((gift) => ({
    id: gift.id,
    rewardCode: gift.rewardCode,
    name: gift.name,
    quantity: gift.quantity,
    price: 0,
    image: gift.image,
    expiresAt: gift.expiresAt === null ? null : momentText(gift.expiresAt, facts.timeZone),
    available: gift.unavailableReason === null,
    included: gifts.included.includes(gift),
    replaces: gift.replaces,
  }));
}
