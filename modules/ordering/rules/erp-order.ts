import type { ErpItem, ErpOrderBody } from '../../../erp/schemas/order-body.ts';
import { erpDeliveryPoint, type AddressFormat, type AddressToSend } from './erp-address.ts';
import { erpText, namedText } from '../../../kernel/pure/erp-text.ts';

export type ModifierToSend = {
  erpId: string;
  groupErpId: string | null;
  /** Per unit of the line. */
  quantity: number;
  /** Kopecks per unit. */
  price: number;
};

export type LineToSend = {
  erpId: string;
  /** Null for a dish without sizes, for which the ERP accepts no size. */
  sizeErpId: string | null;
  /** True for a dish with a modifier scheme. */
  isCompound?: boolean;
  quantity: number;
  /** Kopecks per unit without modifiers. */
  price: number;
  comment: string | null;
  /** Labels the line's comment in the order's comment. */
  name?: string;
  modifiers: readonly ModifierToSend[];
  /** Not sent to the ERP. */
  compensationId?: string | null;
};

/** Amounts in kopecks. */
export type OrderToSend = {
  orderId: string;
  number: string;
  organizationErpId: string;
  /** Null lets the ERP choose the group, and the stop list is not checked. */
  terminalGroupErpId: string | null;
  externalMenuId: string | null;
  priceCategoryErpId: string | null;
  fulfillment: 'DELIVERY' | 'PICKUP';
  /** Null means the default of the fulfillment type. */
  orderTypeErpId: string | null;
  /** Restaurant's local time; null for as soon as possible. */
  completeBefore: Temporal.PlainDateTime | null;
  customer: { name: string; phone: string; phoneExtension?: string };
  addressFormat: AddressFormat;
  /** Null for pickup. */
  address: AddressToSend | null;
  comment: string | null;
  leaveAtDoor: boolean;
  /** Kopecks. */
  changeFrom: number | null;
  persons: number | null;
  marketingSourceErpId?: string | null;
  /** Target of the lines' comments. */
  lineCommentsAs?: 'FIELDS' | 'COMMENT';
  personsAs: 'COMMENT' | 'FIELDS';
  /** Not contained in the lines. */
  deliveryFee: number;
  /** Null means that the fee is sent as text. */
  deliveryFeeItem: { erpId: string; sizeErpId: string | null } | null;
  lines: readonly LineToSend[];
  discounts: readonly { typeErpId: string; amount: number }[];
  payment: { typeErpId: string; kind: 'Cash' | 'Card'; amount: number };
};

/** Texts for values without an ERP field. `{}` is replaced with the value. */
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

/** Marks orders as ours in the ERP. */
export const SOURCE_KEY = 'carte';

/** Limits for readable receipts; the ERP itself has no limits. */
const LONGEST = { name: 60, comment: 500, itemComment: 255 };

const rubles = (kopecks: number): number => kopecks / 100;

/** Returns the ERP's request body, with cleaned texts (rules ORD-32, ORD-33). */
export function erpOrderBody(
  order: OrderToSend,
  words: CommentWords = DEFAULT_COMMENT_WORDS,
): ErpOrderBody {
  const {
    terminalGroupErpId,
    externalMenuId,
    priceCategoryErpId,
    orderTypeErpId,
    address,
    customer,
  } = order;

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
      ...(orderTypeErpId === null
        ? { orderServiceType: service }
        : { orderTypeId: orderTypeErpId }),
      ...(address === null
        ? {}
        : { deliveryPoint: erpDeliveryPoint(address, order.addressFormat) }),
      ...namedText('comment', buildComment(order, words), LONGEST.comment),
      customer: { type: 'one-time', name: erpText(customer.name, LONGEST.name) },
      ...toGuests(order),
      ...(order.marketingSourceErpId == null
        ? {}
        : { marketingSourceId: order.marketingSourceErpId }),
      items: [...order.lines, ...feeLines(order)].map((line) =>
        toItem(withoutComment(line, order)),
      ),
      payments: toPayments(order),
      ...toDiscounts(order),
    },
  };
}

function buildComment(
  {
    leaveAtDoor,
    changeFrom,
    persons,
    personsAs,
    deliveryFee,
    deliveryFeeItem,
    comment,
    lines,
    ...order
  }: OrderToSend,
  words: CommentWords,
): string {
  const filled = (sentence: string, value: string | number): string =>
    sentence.replace('{}', () => String(value));
  const own = erpText(comment ?? '', LONGEST.comment);

  // Empty parts leave spaces, which are removed later.
  return [
    leaveAtDoor ? words.leaveAtDoor : '',
    changeFrom === null ? '' : filled(words.changeFrom, rubles(changeFrom)),
    deliveryFee === 0 || deliveryFeeItem !== null
      ? ''
      : filled(words.deliveryFee, rubles(deliveryFee)),
    persons === null || personsAs === 'FIELDS' ? '' : filled(words.persons, persons),
    ...(order.lineCommentsAs === 'COMMENT' ? lines.map(lineComment) : []),
    own === '' ? '' : filled(words.fromCustomer, own),
  ].join(' ');
}

/** Used for an ERP without line comments (rule ORD-159). */
function lineComment({ name, comment }: LineToSend): string {
  const text = erpText(comment ?? '', LONGEST.itemComment);
  return text === '' ? '' : `${erpText(name ?? '', LONGEST.name)}: ${text}.`;
}

const withoutComment = (line: LineToSend, { lineCommentsAs }: OrderToSend): LineToSend =>
  lineCommentsAs === 'COMMENT' ? { ...line, comment: null } : line;

/** The ERP's field is meant for cutlery (setting `structured_cutlery`). */
const toGuests = ({ persons, personsAs }: OrderToSend): Pick<ErpOrderBody['order'], 'guests'> =>
  persons === null || personsAs === 'COMMENT'
    ? {}
    : { guests: { count: persons, splitBetweenPersons: false } };

/** Rule ORD-65. */
const feeLines = ({ deliveryFee, deliveryFeeItem }: OrderToSend): LineToSend[] =>
  deliveryFee === 0 || deliveryFeeItem === null
    ? []
    : [{ ...deliveryFeeItem, quantity: 1, price: deliveryFee, comment: null, modifiers: [] }];

/** Quantities per dish; `quantity` includes `freeQuantity`. Prices in kopecks. */
type OrderedModifier = {
  modifierId: string;
  groupErpId: string | null;
  quantity: number;
  freeQuantity: number;
  unitPriceKopecks: number;
};

/** Splits off free units with price 0, because the ERP validates prices (rule ORD-66). */
export function modifiersToSend(modifiers: readonly OrderedModifier[]): ModifierToSend[] {
  const units = modifiers.flatMap(
    ({ modifierId: erpId, groupErpId, quantity, freeQuantity, unitPriceKopecks }) => [
      { erpId, groupErpId, quantity: quantity - freeQuantity, price: unitPriceKopecks },
      { erpId, groupErpId, quantity: freeQuantity, price: 0 },
    ],
  );

  const same = Map.groupBy(
    units.filter(({ quantity }) => quantity > 0),
    ({ groupErpId, erpId, price }) => `${groupErpId ?? ''}/${erpId}/${price}`,
  );

  return [...same.values()].map((entries) => ({
    ...entries[0]!,
    quantity: entries.reduce((sum, entry) => sum + entry.quantity, 0),
  }));
}

/** Modifiers of a compound dish belong to the whole dish (rule ORD-93). */
function toItem({
  erpId,
  sizeErpId,
  isCompound,
  quantity,
  price,
  comment,
  modifiers,
}: LineToSend): ErpItem {
  const common = {
    ...(sizeErpId === null ? {} : { productSizeId: sizeErpId }),
    amount: quantity,
    ...namedText('comment', comment, LONGEST.itemComment),
  };

  const dish = { productId: erpId, price: rubles(price) };
  const chosen = modifiers.map((modifier) => ({
    productId: modifier.erpId,
    ...(modifier.groupErpId === null ? {} : { productGroupId: modifier.groupErpId }),
    amount: modifier.quantity,
    price: rubles(modifier.price),
  }));

  return isCompound
    ? {
        type: 'Compound',
        ...common,
        primaryComponent: { ...dish, modifiers: [] },
        commonModifiers: chosen,
      }
    : { type: 'Product', ...common, ...dish, modifiers: chosen };
}

/** The ERP rejects payments of zero. */
function toPayments({
  payment: { typeErpId, kind, amount },
}: OrderToSend): ErpOrderBody['order']['payments'] {
  if (amount === 0) return [];
  return [
    {
      paymentTypeKind: kind,
      paymentTypeId: typeErpId,
      sum: rubles(amount),
      isProcessedExternally: false,
    },
  ];
}

function toDiscounts({ discounts }: OrderToSend): Pick<ErpOrderBody['order'], 'discountsInfo'> {
  if (discounts.length === 0) return {};
  const rows = discounts.map(({ typeErpId, amount }) => ({
    type: 'RMS' as const,
    discountTypeId: typeErpId,
    sum: rubles(amount),
  }));

  return { discountsInfo: { discounts: rows } };
}

/** Returns a modifier group's ERP id from its mirror key, or null. */
export function erpGroupId(groupKey: string): string | null {
  return groupKey.startsWith('~') ? null : groupKey.replace(/#\d+$/, '');
}
