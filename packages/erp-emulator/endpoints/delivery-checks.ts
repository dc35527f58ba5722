import type { DeliveryError } from '../deliveries.ts';
import type { Menu, Organization, StopRow, TerminalGroup, Dataset } from '../model.ts';
import { listDishes } from '../model.ts';
import { orderItem } from './order-items.ts';
import { isBody, localDate, toBodies } from '../wire.ts';
import type { Body } from '../wire.ts';

export type Sent = {
  readonly dataset: Dataset;
  readonly organization: Organization;
  /** Null if the cloud must select the group and the organization has none. */
  readonly terminal: TerminalGroup | null;
  readonly order: Body;
};

type Check = (sent: Sent) => DeliveryError | null;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Creates an error whose sentence quotes the guest, as those of the ERP do. */
function error(code: string, sentence: string, { order }: Pick<Sent, 'order'>): DeliveryError {
  const customer = isBody(order['customer']) ? text(order['customer']['name']) : '';
  return { code, message: `${sentence} Guest ${customer}, phone ${text(order['phone'])}.` };
}

export function isPickup({ dataset, order }: Pick<Sent, 'dataset' | 'order'>): boolean {
  const type = dataset.dictionaries.orderTypes.find(({ id }) => id === order['orderTypeId']);
  return (
    order['orderServiceType'] === 'DeliveryByClient' || type?.orderServiceType === 'DeliveryPickUp'
  );
}

/** Checks of the body. An order that fails is rejected with 400 and not stored. */
const SHAPE: readonly Check[] = [
  (sent) =>
    /^\+\d{7,39}$/.test(text(sent.order['phone']))
      ? null
      : error('InvalidPhone', 'The phone is not valid.', sent),
  (sent) =>
    (sent.order['orderTypeId'] == null) !== (sent.order['orderServiceType'] == null)
      ? null
      : error(
          'OrderTypeNotFound',
          'Exactly one of orderTypeId and orderServiceType is required.',
          sent,
        ),
  (sent) =>
    toBodies(sent.order['items']).length > 0
      ? null
      : error('OrderItemsNotExists', 'The order has no items.', sent),
  (sent) => {
    const amounts = toBodies(sent.order['items']).map(({ amount }) => Number(amount));
    const isWrong = amounts.some((amount) => !(amount > 0 && amount < 1000));
    return isWrong ? error('OrderItemsNotExists', 'An amount is not valid.', sent) : null;
  },
  (sent) => {
    const isWrong = toBodies(sent.order['payments']).some(({ sum }) => !(Number(sum) > 0));
    return isWrong ? error('PaymentSumShouldBePositive', 'A payment is not positive.', sent) : null;
  },
  (sent) => {
    if (isPickup(sent)) return null;
    const point = isBody(sent.order['deliveryPoint']) ? sent.order['deliveryPoint'] : undefined;
    const address = point !== undefined && isBody(point['address']) ? point['address'] : undefined;
    if (address === undefined) return error('AddressNotFound', 'A courier needs an address.', sent);
    if (address['type'] === 'city')
      return error('Line1Disabled', 'This restaurant wants street and house.', sent);
    const street = isBody(address['street']) ? address['street'] : ({} as Body);
    const isStreet =
      text(street['id']) !== '' ||
      text(street['classifierId']) !== '' ||
      (text(street['name']) !== '' && text(street['city']) !== '');
    if (!isStreet)
      return error('AddressNotFound', `Street ${text(street['name'])} is not found.`, sent);

    return text(address['house']) === ''
      ? error('HomeNotFound', 'The house is not found.', sent)
      : null;
  },
];

const AT_ONCE: readonly Check[] = [
  (sent) =>
    sent.terminal === null
      ? error('TerminalGroupIdNotDetermined', 'No terminal group is found.', sent)
      : null,
  (sent) =>
    sent.terminal?.asleep
      ? error('TerminalGroupDisabled', 'The terminal group is disabled.', sent)
      : null,
  (sent) =>
    isBody(sent.order['customer']) && text(sent.order['customer']['name']).trim() !== ''
      ? null
      : error('AnonymousCustomerDisabled', 'Anonymous customers are not allowed.', sent),
  (sent) => {
    const id = sent.order['orderTypeId'] ?? null;
    const existing = sent.dataset.dictionaries.orderTypes.find(
      (type) => type.id === id && !type.isDeleted,
    );

    return id === null || existing
      ? null
      : error('OrderTypeNotFound', 'The order type is not found.', sent);
  },
  (sent) => {
    const living = sent.dataset.dictionaries.paymentTypes.filter(({ isDeleted }) => !isDeleted);
    const isKnown = (payment: Body): boolean =>
      living.some(
        ({ id, paymentTypeKind: kind }) =>
          id === payment['paymentTypeId'] && kind === payment['paymentTypeKind'],
      );

    return toBodies(sent.order['payments']).every(isKnown)
      ? null
      : error('PaymentTypeNotFound', 'A payment type is not found.', sent);
  },
  (sent) => {
    const info = isBody(sent.order['discountsInfo']) ? sent.order['discountsInfo'] : ({} as Body);
    const living = sent.dataset.dictionaries.discounts.filter(({ isDeleted }) => !isDeleted);
    const isKnown = (row: Body): boolean => living.some(({ id }) => id === row['discountTypeId']);

    return toBodies(info['discounts']).every(isKnown)
      ? null
      : error('Common', 'A discount is not found.', sent);
  },
  (sent) => {
    const wanted = sent.order['completeBefore'] ?? null;
    const now = localDate(Date.now(), sent.organization.terminalGroups[0]?.timeZone ?? 'UTC');
    return wanted === null || text(wanted) >= now
      ? null
      : error('TooSmallDeliveryDate', 'The order is for a moment that has passed.', sent);
  },
];

export const shapeFault: Check = (sent) => first(SHAPE, sent);

export const cloudFault: Check = (sent) => first(AT_ONCE, sent);

function first(checks: readonly Check[], sent: Sent): DeliveryError | null {
  for (const check of checks) {
    const fault = check(sent);
    if (fault !== null) return fault;
  }

  return null;
}

/** Returns a fault if the order exceeds a balance in the stop-list of its terminal group. */
export const stopFault: Check = (sent) => {
  const units = toBodies(sent.order['items']).flatMap((item) => {
    const amount = Number(item['amount']);
    const { productId, sizeId, modifiers } = orderItem(item);

    return [
      { productId, sizeId, amount },
      ...modifiers.map((modifier) => ({
        productId: modifier['productId'],
        sizeId: null,
        amount: amount * Number(modifier['amount']),
      })),
    ];
  });

  const wanted = ({ productId, sizeId }: StopRow): number[] =>
    units
      .filter((unit) => unit.productId === productId && (sizeId === null || unit.sizeId === sizeId))
      .map(({ amount }) => amount);

  const isStopped = (sent.dataset.stops.get(sent.terminal?.id ?? '') ?? []).some((row) => {
    const amounts = wanted(row);
    return amounts.length > 0 && row.balance < amounts.reduce((sum, amount) => sum + amount, 0);
  });

  return isStopped ? error('Common', 'A product is in the stop-list.', sent) : null;
};

export const restaurantFault: Check = (sent) => {
  const { dataset, organization, order } = sent;
  const menus = [...dataset.menus.values()].filter(
    ({ id, organizationIds }) =>
      organizationIds.includes(organization.id) &&
      (order['menuId'] == null || order['menuId'] === id),
  );

  const factor =
    dataset.priceCategories.find(({ id }) => id === order['priceCategoryId'])?.factor ?? 1;

  for (const item of toBodies(order['items'])) {
    if (item['type'] === 'Service') continue;
    const fault =
      menus.length === 0 ? 'ProductNotFound' : itemFault(menus, organization.id, item, factor);
    if (fault !== null) return error(fault, 'An item is refused by the restaurant.', sent);
  }

  return stopFault(sent);
};

function itemFault(
  menus: readonly Menu[],
  organizationId: string,
  item: Body,
  factor: number,
): string | null {
  const { productId, sizeId: productSizeId, price, modifiers, isCompound } = orderItem(item);
  const dishes = menus.flatMap((menu) =>
    listDishes(menu).filter(({ id }) => id === productId && !menu.absent.has(id)),
  );
  if (dishes.length === 0) return 'ProductNotFound';

  // A dish with a modifier scheme must be a compound, others must not.
  if (dishes.every(({ product }) => (product['orderItemType'] === 'Compound') !== isCompound))
    return 'Common';
  const sizes = dishes.flatMap((dish) =>
    dish.sizes.filter(({ sizeId }) => sizeId === productSizeId),
  );
  if (sizes.length === 0) return 'ProductSizeNotFound';

  // A modifier may have two lines: one with its price, and a free one.
  const keys = modifiers.map(
    ({ productGroupId, productId: id, price: own }) =>
      `${text(productGroupId)}/${text(id)}/${own === 0 ? 'free' : ''}`,
  );
  if (new Set(keys).size < keys.length) return 'ModifierDuplicated';

  const groups = dishes.flatMap((dish) => dish.groups);

  for (const {
    productId: modifierId,
    productGroupId = null,
    price: modifierPrice = null,
  } of modifiers) {
    const holding = groups.filter(({ links }) =>
      links.some(({ modifier }) => modifier.id === modifierId),
    );
    if (holding.length === 0) return 'ProductNotFound';

    if (!holding.some(({ id }) => id === productGroupId)) return 'ProductGroupNotFound';
    const links = holding.flatMap((group) =>
      group.links.filter(({ modifier }) => modifier.id === modifierId),
    );
    const own = links.map(({ modifier }) => modifier.prices.get(organizationId) ?? null);
    const isFree = modifierPrice === null || modifierPrice === 0;
    if (!isFree && !includesPrice(own, factor, modifierPrice))
      return 'RequestProductPriceIsNotEqualToFrontPrice';
  }

  const prices = sizes.map(({ prices: known }) => known.get(organizationId) ?? null);

  return includesPrice(prices, factor, price) ? null : 'RequestProductPriceIsNotEqualToFrontPrice';
}

/** Accepts prices of the menu, multiplied by the price category's factor. */
const includesPrice = (
  prices: readonly (number | null)[],
  factor: number,
  price: unknown,
): boolean =>
  prices
    .map((known) => (known === null || factor === 1 ? known : Math.round(known * factor)))
    .some((known) => known !== null && Math.abs(known - Number(price)) < 0.005);
