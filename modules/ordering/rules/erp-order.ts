import type { ErpItem, ErpOrderBody } from '../../../erp/schemas/order-body.ts';
import { erpDeliveryPoint, type AddressFormat, type AddressToSend } from './erp-address.ts';
import { erpText, namedText } from '../../../kernel/pure/erp-text.ts';

export type ModifierToSend = {
  erpId: string;
  groupErpId: string | null;
  /** For one unit of the line. */
  quantity: number;
  /** Kopecks for one; 0 for free units. */
  price: number;
};

export type LineToSend = {
  erpId: string;
  /** Null for a dish without sizes: the ERP takes no size of it. */
  sizeErpId: string | null;
  /** Set for a dish of a modifier scheme. */
  isCompound?: boolean;
  quantity: number;
  /** Kopecks for one without its modifiers. */
  price: number;
  comment: string | null;
  /** Names its comment in the comment of the order. */
  name?: string;
  modifiers: readonly ModifierToSend[];
  /** The right that it is the gift of; it is not sent to the ERP. */
  compensationId?: string | null;
};

/** An order with all that is sent to the ERP; amounts are kopecks. */
export type OrderToSend = {
  orderId: string;
  /** The order number for the customer. */
  number: string;
  organizationErpId: string;
  /** Null leaves the choice to the ERP, which then cannot check a stop-list. */
  terminalGroupErpId: string | null;
  externalMenuId: string | null;
  priceCategoryErpId: string | null;
  fulfillment: 'DELIVERY' | 'PICKUP';
  /** Null names the kind of the order by its fulfillment. */
  orderTypeErpId: string | null;
  /** Wall-clock time of the restaurant; null is as soon as possible. */
  completeBefore: Temporal.PlainDateTime | null;
  customer: { name: string; phone: string; phoneExtension?: string };
  addressFormat: AddressFormat;
  /** Null for pickup. */
  address: AddressToSend | null;
  comment: string | null;
  leaveAtDoor: boolean;
  /** Kopecks that the customer pays with. */
  changeFrom: number | null;
  persons: number | null;
  /** The ERP's marketing source; null names none. */
  marketingSourceErpId?: string | null;
  /** The place of the comments of lines; absent for their own fields. */
  lineCommentsAs?: 'FIELDS' | 'COMMENT';
  /** The field for the number of persons. */
  personsAs: 'COMMENT' | 'FIELDS';
  /** Kopecks in addition to the dishes. */
  deliveryFee: number;
  /** The item by which the fee is sent to the ERP; null sends it in words. */
  deliveryFeeItem: { erpId: string; sizeErpId: string | null } | null;
  lines: readonly LineToSend[];
  discounts: readonly { typeErpId: string; amount: number }[];
  payment: { typeErpId: string; kind: 'Cash' | 'Card'; amount: number };
};

/**
 * Sentences of the comment for values without a field at the ERP; `{}` is replaced by the value.
 */
export type CommentWords = {
  leaveAtDoor: string;
  changeFrom: string;
  persons: string;
  deliveryFee: string;
  fromCustomer: string;
};

const DEFAULT_COMMENT_WORDS: CommentWords = {
  leaveAtDoor: 'Оставить у двери.',
  changeFrom: 'Сдача с {} ₽.',
  persons: 'Персон: {}.',
  deliveryFee: 'Доставка {} ₽ сверх суммы блюд.',
  fromCustomer: 'Комментарий гостя: {}',
};

/** Orders that we have made carry this mark at the ERP. */
export const SOURCE_KEY = 'carte';

/**
 * The longest texts. The ERP states no limit for a name and a comment: these keep the receipt
 * readable.
 */
const LONGEST = { name: 60, comment: 500, itemComment: 255 };

const roubles = (kopecks: number): number => kopecks / 100;

/**
 * The body of the ERP's call that creates an order (rule ORD-33). Customers' texts are cleaned
 * (rule ORD-32).
 */
export function erpOrderBody(order: OrderToSend, words: CommentWords = DEFAULT_COMMENT_WORDS): ErpOrderBody {
  const { terminalGroupErpId, externalMenuId, priceCategoryErpId, orderTypeErpId, address, customer } = order;
  const service = order.fulfillment === 'DELIVERY' ? 'DeliveryByCourier' : 'DeliveryByClient';
  return {
    organizationId: order.organizationErpId,
    terminalGroupId: terminalGroupErpId,
    createOrderSettings: { checkStopList: terminalGroupErpId !== null },
    order: {
      id: order.orderId,
      externalNumber: order.number,
      sourceKey: SOURCE_KEY,
      ...(externalMenuId === null ? {} : { menuId: externalMenuId }),
      ...(priceCategoryErpId === null ? {} : { priceCategoryId: priceCategoryErpId }),
      completeBefore: order.completeBefore,
      phone: customer.phone,
      ...(customer.phoneExtension === undefined ? {} : { phoneExtension: customer.phoneExtension }),
      ...(orderTypeErpId === null ? { orderServiceType: service } : { orderTypeId: orderTypeErpId }),
      ...(address === null ? {} : { deliveryPoint: erpDeliveryPoint(address, order.addressFormat) }),
      ...namedText('comment', commentOf(order, words), LONGEST.comment),
      customer: { type: 'one-time', name: erpText(customer.name, LONGEST.name) },
      ...guestsOf(order),
      ...(order.marketingSourceErpId == null ? {} : { marketingSourceId: order.marketingSourceErpId }),
      items: [...order.lines, ...feeLines(order)].map((line) => itemOf(withoutComment(line, order))),
      payments: paymentsOf(order),
      ...discountsOf(order),
    },
  };
}

/** Builds the comment; our text precedes the customer's. */
function commentOf(
  { leaveAtDoor, changeFrom, persons, personsAs, deliveryFee, deliveryFeeItem, comment, lines, ...order }: OrderToSend,
  words: CommentWords,
): string {
  const filled = (sentence: string, value: string | number): string => sentence.replace('{}', () => String(value));
  const own = erpText(comment ?? '', LONGEST.comment);
  // Missing parts leave spaces, which are removed from the text.
  return [
    leaveAtDoor ? words.leaveAtDoor : '',
    changeFrom === null ? '' : filled(words.changeFrom, roubles(changeFrom)),
    deliveryFee === 0 || deliveryFeeItem !== null ? '' : filled(words.deliveryFee, roubles(deliveryFee)),
    persons === null || personsAs === 'FIELDS' ? '' : filled(words.persons, persons),
    ...(order.lineCommentsAs === 'COMMENT' ? lines.map(lineComment) : []),
    own === '' ? '' : filled(words.fromCustomer, own),
  ].join(' ');
}

/**
 * The comment of a line in the comment of the order, for an ERP that takes none of lines (rule
 * ORD-159).
 */
function lineComment({ name, comment }: LineToSend): string {
  const text = erpText(comment ?? '', LONGEST.itemComment);
  return text === '' ? '' : `${erpText(name ?? '', LONGEST.name)}: ${text}.`;
}

const withoutComment = (line: LineToSend, { lineCommentsAs }: OrderToSend): LineToSend =>
  lineCommentsAs === 'COMMENT' ? { ...line, comment: null } : line;

/** Persons in the field that the ERP has for sets of cutlery (setting `structured_cutlery`). */
const guestsOf = ({ persons, personsAs }: OrderToSend): Pick<ErpOrderBody['order'], 'guests'> =>
  persons === null || personsAs === 'COMMENT' ? {} : { guests: { count: persons, splitBetweenPersons: false } };

/** The delivery fee as a line of the order (rule ORD-65). */
const feeLines = ({ deliveryFee, deliveryFeeItem }: OrderToSend): LineToSend[] =>
  deliveryFee === 0 || deliveryFeeItem === null
    ? []
    : [{ ...deliveryFeeItem, quantity: 1, price: deliveryFee, comment: null, modifiers: [] }];

/**
 * A modifier as it was ordered: of its units for one dish, `freeQuantity` cost nothing. Kopecks for
 * one.
 */
type OrderedModifier = {
  modifierId: string;
  groupErpId: string | null;
  quantity: number;
  freeQuantity: number;
  unitPriceKopecks: number;
};

/**
 * The modifiers of a dish in the form of the ERP (rule ORD-66): a modifier of a group once at its
 * price, and in a second line at price 0 for its free units. A till takes no other price.
 */
export function modifiersToSend(modifiers: readonly OrderedModifier[]): ModifierToSend[] {
  const units = modifiers.flatMap(({ modifierId: erpId, groupErpId, quantity, freeQuantity, unitPriceKopecks }) => [
    { erpId, groupErpId, quantity: quantity - freeQuantity, price: unitPriceKopecks },
    { erpId, groupErpId, quantity: freeQuantity, price: 0 },
  ]);
  const same = Map.groupBy(
    units.filter(({ quantity }) => quantity > 0),
    ({ groupErpId, erpId, price }) => `${groupErpId ?? ''}/${erpId}/${price}`,
  );
  return [...same.values()].map((entries) => ({
    ...entries[0]!,
    quantity: entries.reduce((sum, entry) => sum + entry.quantity, 0),
  }));
}

/**
 * A line as the ERP takes it; modifiers of a compound dish belong to the whole dish (rule ORD-93).
 */
function itemOf({ erpId, sizeErpId, isCompound, quantity, price, comment, modifiers }: LineToSend): ErpItem {
  const common = {
    ...(sizeErpId === null ? {} : { productSizeId: sizeErpId }),
    amount: quantity,
    ...namedText('comment', comment, LONGEST.itemComment),
  };
  const dish = { productId: erpId, price: roubles(price) };
  const chosen = modifiers.map((modifier) => ({
    productId: modifier.erpId,
    ...(modifier.groupErpId === null ? {} : { productGroupId: modifier.groupErpId }),
    amount: modifier.quantity,
    price: roubles(modifier.price),
  }));
  return isCompound
    ? { type: 'Compound', ...common, primaryComponent: { ...dish, modifiers: [] }, commonModifiers: chosen }
    : { type: 'Product', ...common, ...dish, modifiers: chosen };
}

/** An order that costs nothing names no payment: the ERP rejects a sum of zero. */
function paymentsOf({ payment: { typeErpId, kind, amount } }: OrderToSend): ErpOrderBody['order']['payments'] {
  if (amount === 0) return [];
  return [{ paymentTypeKind: kind, paymentTypeId: typeErpId, sum: roubles(amount), isProcessedExternally: false }];
}

function discountsOf({ discounts }: OrderToSend): Pick<ErpOrderBody['order'], 'discountsInfo'> {
  if (discounts.length === 0) return {};
  const rows = discounts.map(({ typeErpId, amount }) => ({
    type: 'RMS' as const,
    discountTypeId: typeErpId,
    sum: roubles(amount),
  }));
  return { discountsInfo: { discounts: rows } };
}

/**
 * The ERP's id of a modifier group, by the key under which the mirror keeps it; null for a group
 * without one.
 */
export function erpGroupId(groupKey: string): string | null {
  return groupKey.startsWith('~') ? null : groupKey.replace(/#\d+$/, '');
}
