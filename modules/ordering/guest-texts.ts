import type { CarteSettings } from '../settings/schemas/settings.ts';
import type { DiscountReason } from './rules/discounts.ts';
import type { FindingCode } from './rules/findings.ts';
import type { OrderProblem, OrderState } from './rules/order-states.ts';
import type { CartChange } from './rules/cart-facts.ts';

type Language = CarteSettings['guest_language'];

/**
 * The texts for guests about carts and orders, by language. Clients may show texts of their own by
 * the codes.
 */
export type GuestTexts = {
  discounts: Readonly<Record<DiscountReason, string>>;
  /** Reasons of removals from a cart. */
  reasons: Readonly<Record<CartChange['reason'], string>>;
  removed: (name: string, why: string) => string;
  reduced: (name: string, before: number, after: number) => string;
  modifiersRemoved: (name: string, modifiers: string, why: string) => string;
  /** By code of the gate. */
  gate: Readonly<Record<FindingCode, string>>;
  /** The text of each order state. */
  orderStates: Readonly<Record<OrderState, string>>;
  /** The text of each order problem or end reason; absent if the state alone is more precise. */
  orderProblems: Readonly<Partial<Record<OrderProblem, string>>>;
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
  reduced: (name, before, after) => `«${name}» осталось меньше, чем в корзине: было ${before}, стало ${after}.`,
  modifiersRemoved: (name, modifiers, why) => `Из «${name}» убрали ${modifiers}: ${why}.`,
  gate: {
    ORGANIZATION_INACTIVE: 'Ресторан сейчас не работает с заказами.',
    ERP_DISABLED: 'Ресторан сейчас не может принять заказ.',
    TERMINAL_NOT_ALIVE: 'Ресторан сейчас не на связи.',
    CART_EMPTY: 'Корзина пуста.',
    ITEMS_UNAVAILABLE: 'Некоторые блюда закончились или их осталось меньше, мы убрали лишнее из корзины.',
    MODIFIERS_INVALID: 'Выберите добавки к блюду заново.',
    ADDRESS_REQUIRED: 'Укажите адрес доставки.',
    PICKUP_POINT_REQUIRED: 'Выберите ресторан для самовывоза.',
    ZONE_NOT_FOUND: 'По этому адресу мы не доставляем.',
    ADDRESS_IMPRECISE: 'Уточните адрес доставки.',
    ZONES_OVERLAP: 'Не удалось выбрать ресторан для этого адреса.',
    GEOCODER_BUDGET_SPENT: 'Сегодня не удаётся проверять новые адреса, попробуйте позже.',
    GEOCODER_UNAVAILABLE: 'Не удалось проверить адрес, попробуйте ещё раз.',
    ORGANIZATION_MISMATCH: 'Заказ выполнит другой ресторан, корзину нужно перенести.',
    MIN_SUM_NOT_REACHED: 'Сумма заказа меньше минимальной для доставки.',
    ORDERS_STOPPED: 'Приём заказов приостановлен.',
    DELIVERY_NOT_ACCEPTING: 'Доставка сейчас не принимает заказы.',
    PICKUP_NOT_ACCEPTING: 'Самовывоз сейчас не принимает заказы.',
    TIMED_ORDERS_DISABLED: 'Заказы ко времени не принимаются.',
    NO_SLOT: 'На это время заказать нельзя.',
    PAYMENT_METHOD_UNAVAILABLE: 'Этим способом оплатить нельзя.',
    LEAVE_AT_DOOR_NOT_ALLOWED: 'Оставить у двери можно только при другом способе оплаты.',
    CHANGE_TOO_SMALL: 'Сумма, с которой нужна сдача, меньше суммы заказа.',
    GIFT_CHOICE_REQUIRED: 'Выберите, что делать с подарком.',
    SIGN_IN_REQUIRED: 'Войдите, чтобы заказать на такую сумму.',
    TOO_MANY_ORDERS: 'Слишком много заказов. Войдите или повторите позже.',
    PROMO_CONDITIONS_UNMET: 'Условия промокода не выполнены.',
    CLOSING_SOON: 'Ресторан скоро закрывается.',
    PRICE_CHANGED: 'Цена изменилась.',
    ETA_INCREASED: 'Заказ займёт больше времени, чем обычно.',
    GIFT_UNAVAILABLE: 'Подарок сейчас недоступен.',
    SLOT_EXPIRED: 'Выбранное время уже недоступно, мы предложили ближайшее.',
    PROMO_REMOVED: 'Промокод убран.',
    ITEM_REMOVED: 'Из корзины убрали то, что закончилось.',
    MODIFIERS_REMOVED: 'Добавки убраны из блюда.',
    SERVICE_ITEMS_CHANGED: 'Изменились приборы и соусы к заказу.',
  },
  orderStates: {
    ACCEPTED: 'Мы приняли заказ и передаём его ресторану.',
    SENT: 'Передаём заказ ресторану.',
    CONFIRMED: 'Ресторан принял заказ.',
    COOKING: 'Заказ готовится.',
    READY: 'Заказ готов.',
    ON_THE_WAY: 'Заказ в пути.',
    DELIVERED: 'Заказ доставлен.',
    CLOSED: 'Заказ выполнен.',
    CANCELLED: 'Заказ отменён.',
    FAILED: 'Ресторан не смог принять заказ.',
  },
  orderProblems: {
    ERP_UNAVAILABLE: 'Связь с рестораном прервалась, мы продолжаем передавать заказ.',
    OUTCOME_UNKNOWN: 'Уточняем у ресторана, получил ли он заказ.',
    STUCK_IN_PROGRESS: 'Ресторан долго не подтверждает заказ, мы уже разбираемся.',
    NOT_CONFIGURED: 'Заказ пока не передан ресторану, мы уже разбираемся.',
    REJECTED_BY_ERP: 'Ресторан не может выполнить этот заказ.',
    DEADLINE_PASSED: 'Не удалось передать заказ ресторану вовремя, поэтому мы его отменили.',
    WITHDRAWN: 'Вы отменили заказ.',
    CANCELLED_BY_RESTAURANT: 'Ресторан отменил заказ.',
    CANCELLED_BY_STAFF: 'Заказ отменён оператором.',
  },
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
  reduced: (name, before, after) => `Fewer of “${name}” are left than were in the cart: ${before} became ${after}.`,
  modifiersRemoved: (name, modifiers, why) => `${modifiers} was taken out of “${name}”: ${why}.`,
  gate: {
    ORGANIZATION_INACTIVE: 'The restaurant does not take orders.',
    ERP_DISABLED: 'The restaurant cannot take orders now.',
    TERMINAL_NOT_ALIVE: 'The restaurant cannot be reached now.',
    CART_EMPTY: 'The cart is empty.',
    ITEMS_UNAVAILABLE: 'Some dishes are sold out or fewer are left, and were taken out of the cart.',
    MODIFIERS_INVALID: 'Choose the extras of the dish again.',
    ADDRESS_REQUIRED: 'Enter the delivery address.',
    PICKUP_POINT_REQUIRED: 'Choose a restaurant for pickup.',
    ZONE_NOT_FOUND: 'We do not deliver to this address.',
    ADDRESS_IMPRECISE: 'Make the delivery address more precise.',
    ZONES_OVERLAP: 'No restaurant could be chosen for this address.',
    GEOCODER_BUDGET_SPENT: 'New addresses cannot be checked today, try again later.',
    GEOCODER_UNAVAILABLE: 'The address could not be checked, try again.',
    ORGANIZATION_MISMATCH: 'Another restaurant serves this order, the cart has to be moved.',
    MIN_SUM_NOT_REACHED: 'The order is too small for delivery.',
    ORDERS_STOPPED: 'Orders are not taken for now.',
    DELIVERY_NOT_ACCEPTING: 'Delivery does not take orders now.',
    PICKUP_NOT_ACCEPTING: 'Pickup does not take orders now.',
    TIMED_ORDERS_DISABLED: 'Orders for a later time are not taken.',
    NO_SLOT: 'The time cannot be ordered.',
    PAYMENT_METHOD_UNAVAILABLE: 'The order cannot be paid for like this.',
    LEAVE_AT_DOOR_NOT_ALLOWED: 'The order can be left at the door only when it is paid for in another way.',
    CHANGE_TOO_SMALL: 'The amount to give change for is smaller than the order total.',
    GIFT_CHOICE_REQUIRED: 'Choose what to do with the gift.',
    SIGN_IN_REQUIRED: 'Sign in to order for this sum.',
    TOO_MANY_ORDERS: 'There are too many orders. Sign in or try again later.',
    PROMO_CONDITIONS_UNMET: 'The conditions of the promocode are not met.',
    CLOSING_SOON: 'The restaurant closes soon.',
    PRICE_CHANGED: 'The price has changed.',
    ETA_INCREASED: 'The order takes longer than usual.',
    GIFT_UNAVAILABLE: 'The gift is not available now.',
    SLOT_EXPIRED: 'The time is no longer offered, the nearest one was chosen.',
    PROMO_REMOVED: 'The promocode was taken away.',
    ITEM_REMOVED: 'Sold-out dishes were removed from the cart.',
    MODIFIERS_REMOVED: 'Extras were taken out of a dish.',
    SERVICE_ITEMS_CHANGED: 'Cutlery and sauces of the order have changed.',
  },
  orderStates: {
    ACCEPTED: 'We have taken the order and are passing it to the restaurant.',
    SENT: 'The order is being passed to the restaurant.',
    CONFIRMED: 'The restaurant has taken the order.',
    COOKING: 'The order is being cooked.',
    READY: 'The order is ready.',
    ON_THE_WAY: 'The order is on its way.',
    DELIVERED: 'The order was delivered.',
    CLOSED: 'The order is done.',
    CANCELLED: 'The order was cancelled.',
    FAILED: 'The restaurant could not take the order.',
  },
  orderProblems: {
    ERP_UNAVAILABLE: 'We cannot reach the restaurant and keep trying to send it the order.',
    OUTCOME_UNKNOWN: 'We are asking the restaurant whether it has the order.',
    STUCK_IN_PROGRESS: 'The restaurant has not confirmed the order for a long time, we are looking into it.',
    NOT_CONFIGURED: 'The order has not been passed to the restaurant yet, we are looking into it.',
    REJECTED_BY_ERP: 'The restaurant cannot make this order.',
    DEADLINE_PASSED: 'The order could not be passed to the restaurant in time, so it was cancelled.',
    WITHDRAWN: 'You have cancelled the order.',
    CANCELLED_BY_RESTAURANT: 'The restaurant has cancelled the order.',
    CANCELLED_BY_STAFF: 'An operator has cancelled the order.',
  },
};

/** Returns the texts for guests in a language. */
export const guestTexts = (language: Language): GuestTexts => ({ RU, EN })[language];

/** Describes a removal from a cart, as a sentence. */
export function changeText(
  texts: GuestTexts,
  { action, name, quantity, removedModifiers, reason }: CartChange,
): string {
  const why = texts.reasons[reason];
  if (action === 'REMOVED') return texts.removed(name, why);
  if (quantity !== undefined) return texts.reduced(name, quantity.before, quantity.after);
  return texts.modifiersRemoved(name, removedModifiers.map((each) => each.name).join(', '), why);
}
