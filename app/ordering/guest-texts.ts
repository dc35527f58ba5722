import type { DiscountReason } from '../../domain/ordering/discounts.ts';
import type { CartChange } from '../../domain/ordering/evaluate-cart.ts';

/** What guests read, in the language of the menu. Clients may show texts of their own by the codes. */
const DISCOUNTS: Readonly<Record<DiscountReason, string>> = {
  EXPIRED: 'Срок действия скидки закончился.',
  NOT_STARTED: 'Скидка сейчас не действует.',
  MIN_SUM: 'Для скидки не хватает суммы заказа.',
  ORGANIZATION: 'Скидка не действует в этом ресторане.',
  FULFILLMENT: 'Скидка действует при другом способе получения.',
  ALREADY_USED: 'Скидка уже использована.',
  LIMIT_REACHED: 'Скидка больше не действует: её использовали все.',
  NOT_COMBINABLE: 'Скидка не суммируется с другой, более выгодной.',
  CUSTOMER_REQUIRED: 'Войдите, чтобы получить скидку.',
  UNKNOWN: 'Такого промокода нет.',
};

/** Why a discount is not applied. */
export const discountText = (reason: DiscountReason): string => DISCOUNTS[reason];

/** What was taken out of a cart. */
export function changeText({ action, name, removedModifiers, reason }: CartChange): string {
  const why = reason === 'STOP_LIST' ? 'временно закончилось' : 'больше не продаётся';
  if (action === 'REMOVED') return `«${name}» убрали из корзины: ${why}.`;
  const names = removedModifiers.map((each) => `«${each.name}»`).join(', ');
  return `Из «${name}» убрали ${names}: ${why}.`;
}
