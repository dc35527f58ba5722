import type { CarteSettings } from '../../settings/schemas/settings.ts';
import type { DiscountReason } from '../rules/discounts.ts';
import type { FindingCode } from '../rules/findings.ts';
import type { OrderProblem, OrderState } from '../rules/order-states.ts';
import type { CartChange } from '../rules/cart-facts.ts';

type Language = CarteSettings['guest_language'];

/** Clients may show their own texts by the codes. */
export type GuestTexts = {
  discounts: Readonly<Record<DiscountReason, string>>;
  reasons: Readonly<Record<CartChange['reason'], string>>;
  removed: (name: string, why: string) => string;
  reduced: (name: string, before: number, after: number) => string;
  modifiersRemoved: (name: string, modifiers: string, why: string) => string;
  gate: Readonly<Record<FindingCode, string>>;
  orderStates: Readonly<Record<OrderState, string>>;
  /** Missing if the state is more precise. */
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
  reduced: (name, before, after) =>
    `«${name}» осталось меньше, чем в корзине: было ${before}, стало ${after}.`,
  modifiersRemoved: (name, modifiers, why) => `Из «${name}» убрали ${modifiers}: ${why}.`,
  gate: {
    ORGANIZATION_INACTIVE: 'Ресторан сейчас не работает с заказами.',
    ERP_DISABLED: 'Ресторан сейчас не может принять заказ.',
    TERMINAL_NOT_ALIVE: 'Ресторан сейчас не на связи.',
    CART_EMPTY: 'Корзина пуста.',
    ITEMS_UNAVAILABLE:
      'Некоторые блюда закончились или их осталось меньше, мы убрали лишнее из корзины.',
    MODIFIERS_INVALID: 'Выберите добавки к блюду заново.',
    ITEMS_OUTSIDE_HOURS:
      'Некоторые блюда готовят в другие часы. Выберите другое время заказа или уберите их.',
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
    NOT_STARTED: 'The discount is not valid right now.',
    MIN_SUM: 'Your order is below the minimum for this discount.',
    ORGANIZATION: 'The discount is not valid in this restaurant.',
    FULFILLMENT: 'The discount is not valid for this type of order.',
    ALREADY_USED: 'You have already used this discount.',
    LIMIT_REACHED: 'The discount is no longer available.',
    NOT_COMBINABLE: 'The discount cannot be combined with your better one.',
    CUSTOMER_REQUIRED: 'Sign in to get the discount.',
    UNKNOWN: 'This promo code does not exist.',
  },
  reasons: { STOP_LIST: 'sold out for now', NOT_IN_MENU: 'no longer available' },
  removed: (name, why) => `“${name}” was removed from your cart: ${why}.`,
  reduced: (name, before, after) => `Only ${after} of “${name}” left instead of ${before}.`,
  modifiersRemoved: (name, modifiers, why) => `${modifiers} was removed from “${name}”: ${why}.`,
  gate: {
    ORGANIZATION_INACTIVE: 'The restaurant does not accept orders.',
    ERP_DISABLED: 'The restaurant cannot accept orders right now.',
    TERMINAL_NOT_ALIVE: 'We cannot reach the restaurant right now.',
    CART_EMPTY: 'Your cart is empty.',
    ITEMS_UNAVAILABLE: 'Some dishes are sold out or limited. We have updated your cart.',
    MODIFIERS_INVALID: 'Choose the extras for the dish again.',
    ITEMS_OUTSIDE_HOURS:
      'Some dishes are served at other hours. Choose another time for your order, or remove them.',
    ADDRESS_REQUIRED: 'Enter the delivery address.',
    PICKUP_POINT_REQUIRED: 'Choose a restaurant for pickup.',
    ZONE_NOT_FOUND: 'We do not deliver to this address.',
    ADDRESS_IMPRECISE: 'Enter a more precise delivery address.',
    ZONES_OVERLAP: 'We could not find a restaurant for this address.',
    GEOCODER_BUDGET_SPENT: 'We cannot check new addresses today. Try again later.',
    GEOCODER_UNAVAILABLE: 'We could not check the address. Try again.',
    ORGANIZATION_MISMATCH: 'Another restaurant serves this order. Move your cart to it.',
    MIN_SUM_NOT_REACHED: 'Your order is below the minimum for delivery.',
    ORDERS_STOPPED: 'Ordering is paused.',
    DELIVERY_NOT_ACCEPTING: 'Delivery is not available right now.',
    PICKUP_NOT_ACCEPTING: 'Pickup is not available right now.',
    TIMED_ORDERS_DISABLED: 'Orders for a later time are not available.',
    NO_SLOT: 'This time is not available.',
    PAYMENT_METHOD_UNAVAILABLE: 'This payment method is not available.',
    LEAVE_AT_DOOR_NOT_ALLOWED: 'Leaving the order at the door needs another payment method.',
    CHANGE_TOO_SMALL: 'The amount to give change for is smaller than the order total.',
    GIFT_CHOICE_REQUIRED: 'Choose what to do with the gift.',
    SIGN_IN_REQUIRED: 'Sign in to place an order of this amount.',
    TOO_MANY_ORDERS: 'Too many orders. Sign in or try again later.',
    PROMO_CONDITIONS_UNMET: 'The conditions of the promo code are not met.',
    CLOSING_SOON: 'The restaurant is closing soon.',
    PRICE_CHANGED: 'The price has changed.',
    ETA_INCREASED: 'Your order will take longer than usual.',
    GIFT_UNAVAILABLE: 'The gift is not available right now.',
    SLOT_EXPIRED: 'The selected time is no longer available. We chose the nearest one.',
    PROMO_REMOVED: 'The promo code was removed.',
    ITEM_REMOVED: 'Sold-out dishes were removed from your cart.',
    MODIFIERS_REMOVED: 'Extras were removed from a dish.',
    SERVICE_ITEMS_CHANGED: 'Cutlery and sauces have changed.',
  },
  orderStates: {
    ACCEPTED: 'We received your order and are sending it to the restaurant.',
    SENT: 'We are sending your order to the restaurant.',
    CONFIRMED: 'The restaurant accepted your order.',
    COOKING: 'Your order is being prepared.',
    READY: 'Your order is ready.',
    ON_THE_WAY: 'Your order is on its way.',
    DELIVERED: 'Your order was delivered.',
    CLOSED: 'Your order is complete.',
    CANCELLED: 'Your order was canceled.',
    FAILED: 'The restaurant could not accept your order.',
  },
  orderProblems: {
    ERP_UNAVAILABLE: 'We cannot reach the restaurant. We keep trying to send your order.',
    OUTCOME_UNKNOWN: 'We are checking if the restaurant has your order.',
    STUCK_IN_PROGRESS: 'The restaurant has not confirmed your order yet. We are looking into it.',
    NOT_CONFIGURED: 'Your order has not reached the restaurant yet. We are looking into it.',
    REJECTED_BY_ERP: 'The restaurant cannot fulfill this order.',
    DEADLINE_PASSED: 'We could not reach the restaurant in time, so we canceled your order.',
    WITHDRAWN: 'You canceled the order.',
    CANCELLED_BY_RESTAURANT: 'The restaurant canceled the order.',
    CANCELLED_BY_STAFF: 'An operator canceled the order.',
  },
};

export const guestTexts = (language: Language): GuestTexts => ({ RU, EN })[language];

export function changeText(
  texts: GuestTexts,
  { action, name, quantity, removedModifiers, reason }: CartChange,
): string {
  const why = texts.reasons[reason];
  if (action === 'REMOVED') return texts.removed(name, why);
  if (quantity !== undefined) return texts.reduced(name, quantity.before, quantity.after);

  return texts.modifiersRemoved(
    name,
    removedModifiers.map((modifier) => modifier.name).join(', '),
    why,
  );
}
