import { Type, type Static } from 'typebox';
import { wordOnly } from '../personal.ts';
import { checkOf, checkThen, type Check } from './check.ts';
import { Id, Uuid, maybe } from './read.ts';

/** What the ERP tells of an order that its restaurant has: only what we act on. */
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
  customer: Type.Optional(Type.Unknown()),
  phone: maybe(Type.String()),
  items: maybe(Type.Array(Type.Unknown())),
});

/** More units than any order has: a line that says more counts as these, so that people hear of it. */
const MOST_UNITS = 1_000_000;

const Dish = {
  product: Type.Object({ id: Uuid, name: maybe(Type.String()) }),
  price: Type.Optional(Type.Unknown()),
};
const ofLine = {
  size: maybe(Type.Object({ id: maybe(Uuid) })),
  amount: Type.Number({ minimum: 0 }),
  deleted: Type.Optional(Type.Unknown()),
};
/** A line of an order. `deleted` is an object when the line was taken out again. */
const Line = Type.Object({ ...Dish, ...ofLine });
/** A line of one dish with its scheme, or of two halves. */
const CompoundLine = Type.Object({
  primaryComponent: Type.Object(Dish),
  secondaryComponent: maybe(Type.Object(Dish)),
  ...ofLine,
});
const RegularCustomer = Type.Object({ id: Uuid });

/** An order and how its creation went: `order` is there with Success only, `errorInfo` with Error only. */
const OrderInfo = Type.Object({
  id: Uuid,
  organizationId: Uuid,
  timestamp: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  creationStatus: Type.String(),
  errorInfo: maybe(Type.Object({ code: maybe(Type.String()) })),
  order: maybe(Order),
});

/** Where an order went: moving it to another terminal group or organization gives it a new id. */
export type ErpMove = { deliveryId: string; organizationId: string | null; terminalGroupId: string | null };

/** An order at the ERP. `timestamp` grows with every change of it: of two states the one with the higher number is the newer. */
export type ErpDelivery = { id: string; organizationId: string; timestamp: number } & (
  | { creation: 'IN_PROGRESS' }
  /** `errorCode` is null when the ERP gives none that is one word: its sentences may quote the guest. */
  | { creation: 'ERROR'; errorCode: string | null }
  | {
      creation: 'SUCCESS';
      /** The ERP's word, for example WaitCooking; it may be one that nobody here knows. */
      status: string;
      /** What the restaurant calls the order. */
      number: number | null;
      /** Roubles, after discounts. */
      sum: number | null;
      terminalGroupId: string | null;
      movedTo: ErpMove | null;
      /** Under which id the order was before it was moved here. */
      movedFrom: string | null;
      content: ErpOrderContent;
    }
);

/** What is in an order, and whose it is. The phone is the guest's: it is compared, and neither kept nor logged. */
export type ErpOrderContent = {
  lines: ErpOrderLine[];
  /** By the restaurant's wall clock, as the ERP writes it. */
  createdAt: string | null;
  customerId: string | null;
  phone: string | null;
};

/** A dish that is in the order now; `isPaid` is false for one that costs nothing, and where the ERP does not say. */
export type ErpOrderLine = { itemId: string; sizeId: string | null; name: string; quantity: number; isPaid: boolean };

function deliveryOf({ id, organizationId, timestamp, ...info }: Static<typeof OrderInfo>): ErpDelivery {
  const { creationStatus, errorInfo, order } = info;
  const common = { id: id.toLowerCase(), organizationId: organizationId.toLowerCase(), timestamp };
  if (creationStatus === 'Error') {
    return { ...common, creation: 'ERROR', errorCode: wordOnly(errorInfo?.code ?? undefined) ?? null };
  }
  // Success without the order and words that we do not know end when the ERP is asked again.
  if (creationStatus !== 'Success' || order == null) return { ...common, creation: 'IN_PROGRESS' };
  const { status, number = null, sum = null, terminalGroupId = null } = order;
  return {
    ...common,
    creation: 'SUCCESS',
    status,
    number,
    sum,
    terminalGroupId,
    movedTo: moveOf(order),
    movedFrom: order.movedFromDeliveryId?.toLowerCase() ?? null,
    content: contentOf(order),
  };
}

const checkLine = checkOf(Line);
const checkCompound = checkOf(CompoundLine);
const checkCustomer = checkOf(RegularCustomer);

function contentOf({ items, customer, phone = null, whenCreated = null }: Static<typeof Order>): ErpOrderContent {
  const known = checkCustomer(customer);
  return {
    lines: (items ?? []).flatMap(linesOf),
    createdAt: whenCreated,
    customerId: 'data' in known ? known.data.id.toLowerCase() : null,
    phone,
  };
}

/** The dishes of a line. Modifiers belong to their dish, and a line of a kind that we do not know is none of ours. */
function linesOf(item: unknown): ErpOrderLine[] {
  const read = checkLine(item);
  if ('data' in read) return dishesOf(read.data, [read.data]);
  const compound = checkCompound(item);
  if (!('data' in compound)) return [];
  const { primaryComponent, secondaryComponent } = compound.data;
  return dishesOf(
    compound.data,
    secondaryComponent == null ? [primaryComponent] : [primaryComponent, secondaryComponent],
  );
}

type DishOfLine = Pick<Static<typeof Line>, 'product' | 'price'>;

function dishesOf(
  { size, amount, deleted }: Pick<Static<typeof Line>, 'size' | 'amount' | 'deleted'>,
  dishes: readonly DishOfLine[],
): ErpOrderLine[] {
  if (deleted != null) return [];
  return dishes.map(({ product, price }) => ({
    itemId: product.id.toLowerCase(),
    sizeId: size?.id?.toLowerCase() ?? null,
    // No text of the database holds a NUL.
    name: (product.name ?? '').replaceAll('\0', ''),
    quantity: Math.min(amount / dishes.length, MOST_UNITS),
    isPaid: typeof price === 'number' && price > 0,
  }));
}

function moveOf(order: Static<typeof Order>): ErpMove | null {
  const { movedToDeliveryId, movedToOrganizationId = null, movedToTerminalGroupId = null } = order;
  if (movedToDeliveryId == null) return null;
  return {
    deliveryId: movedToDeliveryId.toLowerCase(),
    organizationId: movedToOrganizationId?.toLowerCase() ?? null,
    terminalGroupId: movedToTerminalGroupId,
  };
}

const checkDelivery: Check<ErpDelivery> = checkThen(checkOf(OrderInfo), deliveryOf);

/** Orders of a list, and how many of its rows cannot be read: one such row must not hide the others. */
export type ErpDeliveries = { orders: ErpDelivery[]; unreadable: number };

/** Reads the rows of a list one by one. */
export function readDeliveries(rows: readonly unknown[]): ErpDeliveries {
  const orders = rows.flatMap((row) => {
    const read = checkDelivery(row);
    return 'data' in read ? [read.data] : [];
  });
  return { orders, unreadable: rows.length - orders.length };
}

/** What the ERP answers to a new order: the id of its command, and the order. */
export const checkCreated: Check<{ correlationId: string; order: ErpDelivery }> = checkThen(
  checkOf(Type.Object({ correlationId: Id, orderInfo: OrderInfo })),
  ({ correlationId, orderInfo }) => ({ correlationId, order: deliveryOf(orderInfo) }),
);

export const DeliveriesAnswer = Type.Object({ orders: Type.Array(Type.Unknown()) });

/** Rows by organization; `maxRevision` is where the next question by revision begins. */
export const RevisedAnswer = Type.Object({
  maxRevision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ordersByOrganizations: Type.Array(Type.Object({ organizationId: Uuid, orders: Type.Array(Type.Unknown()) })),
});
