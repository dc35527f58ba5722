import type { CarteSettings } from '../../contracts/settings.ts';
import type { DiscountReason } from '../../domain/ordering/discounts.ts';
import type { CartChange } from '../../domain/ordering/evaluate-cart.ts';

type Language = CarteSettings['guest_language'];

/** What guests read about carts and orders, by language. Clients may show texts of their own by the codes. */
export type GuestTexts = {
  discounts: Readonly<Record<DiscountReason, string>>;
  /** Why something was taken out of a cart. */
  reasons: Readonly<Record<CartChange['reason'], string>>;
  removed: (name: string, why: string) => string;
  modifiersRemoved: (name: string, modifiers: string, why: string) => string;
};

const RU: GuestTexts = {
  discounts: {
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
  },
  reasons: { STOP_LIST: 'временно закончилось', NOT_IN_MENU: 'больше не продаётся' },
  removed: (name, why) => `«${name}» убрали из корзины: ${why}.`,
  modifiersRemoved: (name, modifiers, why) => `Из «${name}» убрали ${modifiers}: ${why}.`,
};

const EN: GuestTexts = {
  discounts: {
    EXPIRED: 'The discount has ended.',
    NOT_STARTED: 'The discount does not apply now.',
    MIN_SUM: 'The order is too small for the discount.',
    ORGANIZATION: 'The discount does not apply in this restaurant.',
    FULFILLMENT: 'The discount applies to another way to get the order.',
    ALREADY_USED: 'The discount has been used already.',
    LIMIT_REACHED: 'The discount is used up.',
    NOT_COMBINABLE: 'The discount cannot be combined with a better one.',
    CUSTOMER_REQUIRED: 'Sign in to get the discount.',
    UNKNOWN: 'There is no such promocode.',
  },
  reasons: { STOP_LIST: 'it is sold out for now', NOT_IN_MENU: 'it is no longer sold' },
  removed: (name, why) => `“${name}” was taken out of the cart: ${why}.`,
  modifiersRemoved: (name, modifiers, why) => `${modifiers} was taken out of “${name}”: ${why}.`,
};

/** What guests read in a language. */
export const guestTexts = (language: Language): GuestTexts => ({ RU, EN })[language];

/** What was taken out of a cart, as a sentence. */
export function changeText(texts: GuestTexts, { action, name, removedModifiers, reason }: CartChange): string {
  const why = texts.reasons[reason];
  if (action === 'REMOVED') return texts.removed(name, why);
  return texts.modifiersRemoved(name, removedModifiers.map((each) => each.name).join(', '), why);
}
