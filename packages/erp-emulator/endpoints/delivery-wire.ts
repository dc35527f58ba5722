import type { Delivery, DeliveryStatus } from '../deliveries.ts';
import type { Organization, Dataset } from '../model.ts';
import { listDishes } from '../model.ts';
import { isBody, localDate, toBodies } from '../wire.ts';
import type { Body } from '../wire.ts';
import { orderItem } from './order-items.ts';

type Names = ReadonlyMap<string, string>;

const kept = new WeakMap<Dataset, { versions: string; names: Names }>();

/** Returns the current names, which orders show. They are updated when a menu changes. */
function listNames(dataset: Dataset): Names {
  const menus = [...dataset.menus.values()];
  const versions = menus.map(({ id, version }) => `${id}:${version}`).join();
  const cached = kept.get(dataset);
  if (cached?.versions === versions) return cached.names;
  const names = new Map(
    menus.flatMap((menu) =>
      [...listDishes(menu), ...menu.modifiers].map(({ id, name }) => [id, name]),
    ),
  );

  kept.set(dataset, { versions, names });

  return names;
}

const product = (names: Names, id: unknown): object => ({
  id,
  name: names.get(String(id)) ?? 'Неизвестный товар',
});

function itemWire(names: Names, item: Body): object {
  const { productId, price: stated, sizeId, modifiers, isCompound } = orderItem(item);
  const price = Number(stated ?? 0);
  const cost = price * Number(item['amount']);
  const chosen = modifiers.map((modifier) => ({
    product: product(names, modifier['productId']),
    amount: modifier['amount'],
    amountIndependentOfParentAmount: false,
    productGroup:
      typeof modifier['productGroupId'] === 'string'
        ? { id: modifier['productGroupId'], name: '' }
        : null,
    price: modifier['price'] ?? 0,
    pricePredefined: true,
    resultSum: modifier['price'] ?? 0,
    deleted: null,
  }));

  const dish = { product: product(names, productId), price, cost };

  return {
    type: item['type'],
    status: 'Added',
    deleted: item['deleted'] ?? null,
    amount: item['amount'],
    comment: item['comment'],
    size: typeof sizeId === 'string' ? { id: sizeId, name: '' } : null,
    ...(isCompound
      ? { primaryComponent: { ...dish, modifiers: [] }, commonModifiers: chosen }
      : { ...dish, modifiers: chosen, resultSum: cost, pricePredefined: true, positionId: null }),
  };
}

/** Names of status times in answers. */
const MOMENTS: readonly (readonly [name: string, status: DeliveryStatus | 'Created'])[] = [
  ['whenCreated', 'Created'],
  ['whenConfirmed', 'WaitCooking'],
  ['cookingStartTime', 'CookingStarted'],
  ['whenCookingCompleted', 'CookingCompleted'],
  ['whenSended', 'OnWay'],
  ['whenDelivered', 'Delivered'],
  ['whenClosed', 'Closed'],
];

function pointWire(point: unknown): object | null {
  if (!isBody(point)) return null;
  const {
    type: _type,
    street,
    ...rest
  } = isBody(point['address']) ? point['address'] : ({} as Body);

  const named = isBody(street) ? street : ({} as Body);

  return {
    coordinates: point['coordinates'] ?? null,
    address: {
      ...rest,
      street: {
        id: named['id'] ?? null,
        name: named['name'] ?? null,
        city: { name: named['city'] ?? null },
      },
    },
    externalCartographyId: null,
    comment: point['comment'] ?? null,
  };
}

const zoneOf = (organization: Organization | undefined): string =>
  organization?.terminalGroups[0]?.timeZone ?? 'UTC';

/**
 * Returns the requested time as the restaurant's local time. "As soon as possible" counts from the
 * creation.
 */
export function wantedAt(dataset: Dataset, { organizationId, order, reached }: Delivery): string {
  const zone = zoneOf(dataset.organizations.find(({ id }) => id === organizationId));
  const wanted = order['completeBefore'];
  return typeof wanted === 'string' ? wanted : localDate(reached.get('Created') ?? 0, zone);
}

/** The list of order types has another name for pickup. */
function orderTypeWire({ dictionaries }: Dataset, { order, isPickup }: Delivery): object | null {
  const listed = isPickup ? 'DeliveryPickUp' : 'DeliveryByCourier';
  const type =
    dictionaries.orderTypes.find(({ id }) => id === order['orderTypeId']) ??
    dictionaries.orderTypes.find(({ orderServiceType }) => orderServiceType === listed);
  const service = isPickup ? 'DeliveryByClient' : 'DeliveryByCourier';

  return type === undefined ? null : { id: type.id, name: type.name, orderServiceType: service };
}

function orderWire(dataset: Dataset, delivery: Delivery, organization: Organization): object {
  const { order, movedFrom, movedTo, reached, status } = delivery;
  const names = listNames(dataset);
  const zone = zoneOf(organization);
  const local = (moment: DeliveryStatus | 'Created'): string | null => {
    const at = reached.get(moment);
    return at === undefined ? null : localDate(at, zone);
  };

  return {
    parentDeliveryId: null,
    customer: order['customer'] ?? null,
    phone: order['phone'],
    deliveryPoint: pointWire(order['deliveryPoint']),
    status,
    cancelInfo:
      status === 'Cancelled'
        ? {
            whenCancelled: local('Cancelled') ?? localDate(delivery.revision, zone),
            cause: { id: delivery.correlationId, name: movedTo === null ? 'Отказ' : 'Перенос' },
            comment: order['comment'] ?? null,
          }
        : null,
    courierInfo: null,
    completeBefore: order['completeBefore'] ?? local('Created'),
    isAsap: order['completeBefore'] == null,
    ...Object.fromEntries(MOMENTS.map(([name, moment]) => [name, local(moment)])),
    comment: order['comment'] ?? null,
    problem: null,
    operator: null,
    marketingSource: null,
    deliveryDuration: null,
    sum: delivery.sum,
    number: delivery.number,
    sourceKey: order['sourceKey'] ?? null,
    menuId: order['menuId'] ?? null,
    guestsInfo: order['guests'] ?? null,
    items: toBodies(order['items']).map((item) => itemWire(names, item)),
    combos: null,
    payments: toBodies(order['payments']).map(({ paymentTypeId, paymentTypeKind, sum }) => ({
      paymentType: { id: paymentTypeId, name: String(paymentTypeKind), kind: paymentTypeKind },
      sum,
      isPreliminary: true,
      isExternal: false,
      isProcessedExternally: false,
      isPrepay: false,
    })),
    discounts: null,
    orderType: orderTypeWire(dataset, delivery),
    terminalGroupId: delivery.terminalGroupId,
    processedPaymentsSum: 0,
    movedFromDeliveryId: movedFrom?.deliveryId ?? null,
    movedFromTerminalGroupId: movedFrom?.terminalGroupId ?? null,
    movedFromOrganizationId: movedFrom?.organizationId ?? null,
    movedToDeliveryId: movedTo?.deliveryId ?? null,
    movedToTerminalGroupId: movedTo?.terminalGroupId ?? null,
    movedToOrganizationId: movedTo?.organizationId ?? null,
    externalData: null,
  };
}

/**
 * Returns an order for answers and events: `order` with Success only, `errorInfo` with Error
 * only.
 */
export function orderInfo(dataset: Dataset, delivery: Delivery): object {
  const organization = dataset.organizations.find(({ id }) => id === delivery.organizationId);
  const { id, organizationId, revision, creation, error } = delivery;

  return {
    id,
    posId: null,
    externalNumber: delivery.order['externalNumber'] ?? null,
    organizationId,
    timestamp: revision,
    creationStatus: creation,
    errorInfo:
      error === null
        ? null
        : { ...error, description: null, additionalData: null, errorReason: null },
    order:
      creation === 'Success' && organization !== undefined
        ? orderWire(dataset, delivery, organization)
        : null,
  };
}
