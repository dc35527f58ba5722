import { Type, type Static } from 'typebox';
import { wordOnly } from '../personal.ts';
import { createCheck, checkThen, Id, Uuid, maybe, type Check } from './check.ts';

const Order = Type.Object({
  status: Id,
  number: maybe(Type.Integer()),
  sum: maybe(Type.Number()),
  terminalGroupId: maybe(Uuid),
  movedToDeliveryId: maybe(Uuid),
  movedToOrganizationId: maybe(Uuid),
  movedToTerminalGroupId: maybe(Uuid),
  movedFromDeliveryId: maybe(Uuid),
  whenCreated: maybe(Type.String()),
  whenCookingCompleted: maybe(Type.String()),
  whenPacked: maybe(Type.String()),
  completeBefore: Type.Optional(Type.Unknown()),
  isAsap: Type.Optional(Type.Unknown()),
  orderType: Type.Optional(Type.Unknown()),
  guestsInfo: Type.Optional(Type.Unknown()),
  payments: Type.Optional(Type.Unknown()),
  customer: Type.Optional(Type.Unknown()),
  phone: maybe(Type.String()),
  items: maybe(Type.Array(Type.Unknown())),
});

/** More than any order has. Larger lines are capped, so that staff are notified. */
const MOST_UNITS = 1_000_000;

const Dish = {
  product: Type.Object({ id: Uuid, name: maybe(Type.String()) }),
  price: Type.Optional(Type.Unknown()),
  modifiers: Type.Optional(Type.Unknown()),
};

const ofLine = {
  size: maybe(Type.Object({ id: maybe(Uuid) })),
  amount: Type.Number({ minimum: 0 }),
  deleted: Type.Optional(Type.Unknown()),
};

/** `deleted` is an object if the line was removed. */
const Line = Type.Object({ ...Dish, ...ofLine });

/** A dish with a modifier scheme, or two halves. */
const CompoundLine = Type.Object({
  primaryComponent: Type.Object(Dish),
  secondaryComponent: maybe(Type.Object(Dish)),
  ...ofLine,
});

const RegularCustomer = Type.Object({ id: Uuid });

/** `order` exists with Success only, `errorInfo` with Error only. */
const OrderInfo = Type.Object({
  id: Uuid,
  organizationId: Uuid,
  timestamp: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  creationStatus: Type.String(),
  externalNumber: Type.Optional(Type.Unknown()),
  errorInfo: maybe(Type.Object({ code: maybe(Type.String()) })),
  order: maybe(Order),
});

/** Moving an order changes its id. */
export type ErpMove = {
  deliveryId: string;
  organizationId: string | null;
  terminalGroupId: string | null;
};

/** `timestamp` increments with every change. */
export type ErpDelivery = { id: string; organizationId: string; timestamp: number } & (
  | { creation: 'IN_PROGRESS' }
  /** Null unless it is one word: the ERP's sentences may quote the guest. */
  | { creation: 'ERROR'; errorCode: string | null }
  | {
      creation: 'SUCCESS';
      /** The ERP's word, such as WaitCooking. May be unknown to us. */
      status: string;
      /** True if the order is cooked or packed, or each dish is cooked. */
      isCooked: boolean;
      /** The restaurant's number of the order. */
      number: number | null;
      /** The number in the system that placed the order. */
      externalNumber: string | null;
      /** In rubles, after discounts. */
      sum: number | null;
      terminalGroupId: string | null;
      movedTo: ErpMove | null;
      /** The order's id before it was moved here. */
      movedFrom: string | null;
      content: ErpOrderContent;
    }
);

/** Compare the phone, but never store or log it. */
export type ErpOrderContent = {
  lines: ErpOrderLine[];
  items: ErpOrderItem[];
  isPickup: boolean;
  isAsap: boolean;
  /** The expected time as the restaurant's local time. */
  completeBefore: string | null;
  persons: number | null;
  /** The kind of payment, such as Cash. */
  paymentKind: string | null;
  /** Restaurant's local time, as the ERP writes it. */
  createdAt: string | null;
  customerId: string | null;
  phone: string | null;
};

/** `isPaid` is false for a free line, and if the price is missing. */
export type ErpOrderLine = {
  itemId: string;
  sizeId: string | null;
  name: string;
  quantity: number;
  isPaid: boolean;
};

/** Rubles; null if missing. */
export type ErpOrderItem = {
  itemId: string;
  sizeId: string | null;
  name: string;
  sizeName: string | null;
  quantity: number;
  price: number | null;
  total: number | null;
  modifiers: {
    itemId: string;
    groupId: string | null;
    name: string;
    quantity: number;
    price: number | null;
  }[];
};

function toDelivery({
  id,
  organizationId,
  timestamp,
  ...info
}: Static<typeof OrderInfo>): ErpDelivery {
  const { creationStatus, externalNumber, errorInfo, order } = info;
  const common = { id: id.toLowerCase(), organizationId: organizationId.toLowerCase(), timestamp };
  if (creationStatus === 'Error') {
    return {
      ...common,
      creation: 'ERROR',
      errorCode: wordOnly(errorInfo?.code ?? undefined) ?? null,
    };
  }

  // Unknown values, and Success without the order, are resolved by the next request.
  if (creationStatus !== 'Success' || order == null) return { ...common, creation: 'IN_PROGRESS' };
  const { status, number = null, sum = null, terminalGroupId = null } = order;

  return {
    ...common,
    creation: 'SUCCESS',
    status,
    isCooked: isCooked(order),
    number,
    externalNumber: typeof externalNumber === 'string' ? externalNumber : null,
    sum,
    terminalGroupId,
    movedTo: toMove(order),
    movedFrom: order.movedFromDeliveryId?.toLowerCase() ?? null,
    content: toContent(order),
  };
}

const COOKED: ReadonlySet<string> = new Set(['CookingCompleted', 'Served']);
const checkCooking = createCheck(Type.Object({ status: Type.String(), deleted: ofLine.deleted }));

/** An item without a readable status is not cooked. */
function isCooked({ whenCookingCompleted, whenPacked, items }: Static<typeof Order>): boolean {
  if (whenCookingCompleted != null || whenPacked != null) return true;
  const statuses = (items ?? []).flatMap((item) => {
    const read = checkCooking(item);
    if (!('data' in read)) return [''];
    return read.data.deleted == null ? [read.data.status] : [];
  });

  return statuses.length > 0 && statuses.every((status) => COOKED.has(status));
}

const checkLine = createCheck(Line);
const checkCompound = createCheck(CompoundLine);
const checkCustomer = createCheck(RegularCustomer);
const checkType = createCheck(Type.Object({ orderServiceType: Type.String() }));
const checkGuests = createCheck(
  Type.Object({ count: Type.Integer({ minimum: 1, maximum: 1_000 }) }),
);
const checkPayments = createCheck(
  Type.Array(Type.Object({ paymentType: Type.Object({ kind: maybe(Type.String()) }) })),
);

const Priced = { price: Type.Optional(Type.Unknown()), deleted: ofLine.deleted };

const checkItem = createCheck(
  Type.Object({
    size: maybe(Type.Object({ name: maybe(Type.String()) })),
    resultSum: Type.Optional(Type.Unknown()),
    cost: Type.Optional(Type.Unknown()),
    commonModifiers: Type.Optional(Type.Unknown()),
  }),
);

const checkModifier = createCheck(
  Type.Object({
    product: Type.Object({ id: Uuid, name: maybe(Type.String()) }),
    amount: Type.Number({ minimum: 0, maximum: MOST_UNITS }),
    productGroup: maybe(Type.Object({ id: Uuid })),
    ...Priced,
  }),
);

const toAmount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const toText = (text: string | null | undefined): string =>
  (text ?? '').replaceAll('\0', '').toWellFormed().trim();

/** Combines two halves into one item. Skips removed and unknown lines. */
function toOrderItems(item: unknown): ErpOrderItem[] {
  const [plain, compound, details] = [checkLine(item), checkCompound(item), checkItem(item)];
  const line = 'data' in plain ? plain.data : 'data' in compound ? compound.data : null;
  if (line === null || line.deleted != null || !('data' in details)) return [];
  const dishes =
    'primaryComponent' in line
      ? [
          line.primaryComponent,
          ...(line.secondaryComponent == null ? [] : [line.secondaryComponent]),
        ]
      : [line];

  const prices = dishes.map(({ price }) => toAmount(price));
  const { size, resultSum, cost, commonModifiers } = details.data;
  const chosen = [...dishes.map(({ modifiers }) => modifiers), commonModifiers].flatMap(
    (list): unknown[] => (Array.isArray(list) ? list : []),
  );

  return [
    {
      itemId: dishes[0]!.product.id.toLowerCase(),
      sizeId: line.size?.id?.toLowerCase() ?? null,
      name: dishes.map(({ product }) => toText(product.name)).join(' / '),
      sizeName: toText(size?.name) || null,
      quantity: Math.min(line.amount, MOST_UNITS),
      // The ERP charges the more expensive half.
      price: prices.includes(null) ? null : Math.max(...prices.map((price) => price ?? 0)),
      total: toAmount(resultSum) ?? toAmount(cost),
      modifiers: chosen.flatMap((entry) => {
        const read = checkModifier(entry);
        if (!('data' in read) || read.data.deleted != null) return [];
        const { product, amount, productGroup, price } = read.data;
        const groupId = productGroup?.id.toLowerCase() ?? null;

        return [
          {
            itemId: product.id.toLowerCase(),
            groupId,
            name: toText(product.name),
            quantity: amount,
            price: toAmount(price),
          },
        ];
      }),
    },
  ];
}

function toContent(order: Static<typeof Order>): ErpOrderContent {
  const { items, customer, phone = null, whenCreated = null } = order;
  const known = checkCustomer(customer);
  const [type, guests, payments] = [
    checkType(order.orderType),
    checkGuests(order.guestsInfo),
    checkPayments(order.payments),
  ];

  return {
    lines: (items ?? []).flatMap(toLines),
    items: (items ?? []).flatMap(toOrderItems),
    isPickup: 'data' in type && type.data.orderServiceType === 'DeliveryByClient',
    isAsap: order.isAsap === true || typeof order.completeBefore !== 'string',
    completeBefore: typeof order.completeBefore === 'string' ? order.completeBefore : null,
    persons: 'data' in guests ? guests.data.count : null,
    paymentKind:
      'data' in payments
        ? (wordOnly(payments.data[0]?.paymentType.kind ?? undefined) ?? null)
        : null,
    createdAt: whenCreated,
    customerId: 'data' in known ? known.data.id.toLowerCase() : null,
    phone,
  };
}

/** Skips unknown lines. */
function toLines(item: unknown): ErpOrderLine[] {
  const read = checkLine(item);
  if ('data' in read) return toDishes(read.data, [read.data]);
  const compound = checkCompound(item);
  if (!('data' in compound)) return [];
  const { primaryComponent, secondaryComponent } = compound.data;

  return toDishes(
    compound.data,
    secondaryComponent == null ? [primaryComponent] : [primaryComponent, secondaryComponent],
  );
}

type DishOfLine = Pick<Static<typeof Line>, 'product' | 'price'>;

function toDishes(
  { size, amount, deleted }: Pick<Static<typeof Line>, 'size' | 'amount' | 'deleted'>,
  dishes: readonly DishOfLine[],
): ErpOrderLine[] {
  if (deleted != null) return [];
  return dishes.map(({ product, price }) => ({
    itemId: product.id.toLowerCase(),
    sizeId: size?.id?.toLowerCase() ?? null,
    // PostgreSQL texts cannot contain NUL.
    name: (product.name ?? '').replaceAll('\0', ''),
    quantity: Math.min(amount / dishes.length, MOST_UNITS),
    isPaid: typeof price === 'number' && price > 0,
  }));
}

function toMove(order: Static<typeof Order>): ErpMove | null {
  const { movedToDeliveryId, movedToOrganizationId = null, movedToTerminalGroupId = null } = order;
  if (movedToDeliveryId == null) return null;

  return {
    deliveryId: movedToDeliveryId.toLowerCase(),
    organizationId: movedToOrganizationId?.toLowerCase() ?? null,
    terminalGroupId: movedToTerminalGroupId,
  };
}

const checkDelivery: Check<ErpDelivery> = checkThen(createCheck(OrderInfo), toDelivery);

/** `unreadable` counts the skipped rows, which must not hide others. */
export type ErpDeliveries = { orders: ErpDelivery[]; unreadable: number };

export function readDeliveries(rows: readonly unknown[]): ErpDeliveries {
  const orders = rows.flatMap((row) => {
    const read = checkDelivery(row);
    return 'data' in read ? [read.data] : [];
  });

  return { orders, unreadable: rows.length - orders.length };
}

export const checkCreated: Check<{ correlationId: string; order: ErpDelivery }> = checkThen(
  createCheck(Type.Object({ correlationId: Id, orderInfo: OrderInfo })),
  ({ correlationId, orderInfo }) => ({ correlationId, order: toDelivery(orderInfo) }),
);

export const DeliveriesAnswer = Type.Object({ orders: Type.Array(Type.Unknown()) });

/** `maxRevision`: start of the next request. */
export const RevisedAnswer = Type.Object({
  maxRevision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ordersByOrganizations: Type.Array(
    Type.Object({ organizationId: Uuid, orders: Type.Array(Type.Unknown()) }),
  ),
});
