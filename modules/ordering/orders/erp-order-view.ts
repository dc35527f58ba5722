import { sql, type Selectable } from 'kysely';
import { by } from '../../../kernel/pure/lists.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { ASAP } from '../rules/gate.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import type { GuestTexts } from './guest-texts.ts';
import type { ListedOrder, Order, OrderGift } from '../schemas/orders.ts';
import { statusHistory } from './status-history.ts';
import type { ErpOrderLine } from '../tables/erp-orders.ts';

export type ErpOrderRow = Selectable<Tables['erp_order']> & { organizationErpId: string };

/** The variant that sells the dish now, if any. */
type KnownLine = ErpOrderLine & {
  productId: number | null;
  variantId: number | null;
  isGift: boolean;
};

/** Selects orders from other channels. Selects a moved order only under its new id. */
export const erpOrders = ({ db }: Sql) =>
  db
    .selectFrom('erp_order')
    .innerJoin('mirror_organization as organization', 'organization.id', 'erp_order.organizationId')
    .selectAll('erp_order')
    .select('organization.erpId as organizationErpId')
    .where('erp_order.movedTo', 'is', null);

/** By ERP payment type. */
const PAYMENT_METHODS: Readonly<Record<string, string>> = { Cash: 'CASH', Card: 'CARD_COURIER' };

function listedErpOrder(
  row: ErpOrderRow,
  lines: readonly KnownLine[],
  texts: GuestTexts,
): ListedOrder {
  const { id, number, state, timeZone, placedAt, dueAt } = row;
  const due = dueAt ?? placedAt;

  return {
    orderId: id,
    channel: 'ERP',
    number,
    organizationId: row.organizationErpId,
    status: state,
    message: texts.orderStates[state],
    problem: null,
    fulfillment: {
      type: row.fulfillmentType,
      slotId: row.isAsap ? ASAP : `${momentText(due.getTime(), timeZone)}/PT0M`,
    },
    paymentMethod: PAYMENT_METHODS[row.paymentKind ?? ''] ?? 'OTHER',
    eta: {
      minutes: Math.max(0, Math.round((due.getTime() - placedAt.getTime()) / 60_000)),
      at: momentText(due.getTime(), timeZone),
    },
    total: row.totalKopecks,
    createdAt: momentText(placedAt.getTime(), timeZone),
    gifts: lines.filter(({ isGift }) => isGift).map(giftView),
  };
}

/** Returns an order from another channel with its lines and history. */
export function wholeErpOrder(
  row: ErpOrderRow,
  lines: readonly KnownLine[],
  texts: GuestTexts,
): Order {
  const moves = row.moves.length > 0 ? row.moves : [{ state: row.state, at: row.placedAt }];
  return {
    ...listedErpOrder(row, lines, texts),
    cancellable: false,
    lines: lines.filter(({ isGift }) => !isGift).map(lineView),
    subtotal: lines.reduce((sum, line) => sum + line.lineTotalKopecks, 0),
    discounts: [],
    deliveryFee: 0,
    persons: row.persons,
    statusHistory: statusHistory(
      moves.map(({ state, at }) => ({ state, at: new Date(at), problem: null })),
      row.timeZone,
    ),
  };
}

const lineView = (line: KnownLine) => ({
  type: 'ITEM' as const,
  productId: line.productId,
  variantId: line.variantId,
  name: line.name,
  variantName: line.sizeName,
  // Some quantities are weights.
  quantity: Math.max(1, Math.round(line.quantity)),
  modifiers: line.modifiers.map((modifier) => ({
    modifierId: modifier.itemId,
    name: modifier.name,
    quantity: Math.round(modifier.quantity),
    freeQuantity: 0,
    unitPrice: modifier.unitPriceKopecks,
  })),
  unitPrice: line.unitPriceKopecks,
  lineTotal: line.lineTotalKopecks,
  orderable: line.variantId !== null,
  hidden: false,
});

const giftView = (line: KnownLine): OrderGift => ({
  ...lineView(line),
  type: 'COMPENSATION',
  orderable: false,
  total: line.lineTotalKopecks,
  leftOut: false,
  unavailableReason: 'NOT_SOLD',
});

const keyOf = ({ itemId, sizeId }: { itemId: string; sizeId: string | null }): string =>
  `${itemId}/${sizeId ?? ''}`;

/** Returns lines by order id. Gifts are lines reported as gifts that cost nothing. */
export async function knownLines(
  { db }: Sql,
  rows: readonly ErpOrderRow[],
): Promise<Map<string, KnownLine[]>> {
  const itemIds = [...new Set(rows.flatMap(({ lines }) => lines.map(({ itemId }) => itemId)))];
  const variants = await db
    .selectFrom('mirror_item as item')
    .innerJoin('mirror_item_size as size', 'size.itemId', 'item.id')
    .innerJoin('catalog_variant as variant', 'variant.itemSizeId', 'size.id')
    .innerJoin('catalog_product as product', 'product.id', 'variant.productId')
    .select(['item.erpId as itemId', 'variant.id', 'variant.productId'])
    .select(sql<string | null>`nullif(size.erp_size_id, '')`.as('sizeId'))
    .where('item.erpId', '=', anyOf(itemIds, 'uuid'))
    .where('item.role', '=', 'DISH')
    .where('product.status', '=', 'PUBLISHED')
    .execute();

  const gifts = await db
    .selectFrom('erp_gift_line as line')
    .innerJoin('erp_gift_order as order', 'order.id', 'line.giftOrderId')
    .select(['order.erpOrderId', 'line.erpItemId as itemId'])
    .select(sql<string | null>`nullif(line.erp_size_id, '')`.as('sizeId'))
    .where(
      'order.erpOrderId',
      '=',
      anyOf(
        rows.map(({ id }) => id),
        'uuid',
      ),
    )
    .execute();

  const sold = new Map(variants.map((variant) => [keyOf(variant), variant]));
  const giftKeys = new Set(gifts.map((gift) => `${gift.erpOrderId}/${keyOf(gift)}`));

  return new Map(
    rows.map(({ id, lines }) => [
      id,
      lines.map((line): KnownLine => {
        const variant = sold.get(keyOf(line));
        const isGift = line.unitPriceKopecks === 0 && giftKeys.has(`${id}/${keyOf(line)}`);

        return {
          ...line,
          productId: variant?.productId ?? null,
          variantId: variant?.id ?? null,
          isGift,
        };
      }),
    ]),
  );
}

export async function listedErpOrders(
  from: Sql,
  ids: readonly string[],
  texts: GuestTexts,
): Promise<Map<string, ListedOrder>> {
  if (ids.length === 0) return new Map();
  const rows = await erpOrders(from).where('erp_order.id', '=', anyOf(ids, 'uuid')).execute();
  const lines = await knownLines(from, rows);

  return new Map(
    rows
      .toSorted(by(({ id }) => id))
      .map((row) => [row.id, listedErpOrder(row, lines.get(row.id) ?? [], texts)]),
  );
}
