import { sql, type Selectable } from 'kysely';
import type { ListedOrder, Order, OrderGift } from './schemas/orders.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Tables } from '../registry.ts';
import { nestRows, rowsOf, type AsJson } from '../../platform/db/nested-rows.ts';
import type { Sql } from '../../platform/db/database.ts';

import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { readSettings } from '../settings/read-settings.ts';
import { momentText } from './cart-view.ts';
import { isUntold } from './withdraw-order.ts';
import { guestTexts, type GuestTexts } from './guest-texts.ts';

/** Columns of an order in a list. */
export const LISTED = [
  'id',
  'number',
  'state',
  'problem',
  'fulfillmentType',
  'slotId',
  'timeZone',
  'dueAt',
  'etaMinutes',
  'paymentMethod',
  'totalKopecks',
  'acceptedAt',
] as const;

const WHOLE = [
  ...LISTED,
  'subtotalKopecks',
  'deliveryFeeKopecks',
  'discounts',
  'persons',
  'erpOrderId',
  'unansweredSince',
] as const;

/** Orders of a customer, the newest first. */
export async function listOwnOrders(from: Sql, customerId: string, paging: Paging): Promise<Page<ListedOrder>> {
  const own = from.db.selectFrom('customer_order').where('customer_order.customerId', '=', customerId);
  const { items, ...page } = await readPage(
    own
      .innerJoin('mirror_organization as organization', 'organization.id', 'customer_order.organizationId')
      .select([
        ...LISTED.map((name) => `customer_order.${name}` as const),
        'organization.erpId as organizationErpId',
        nestRows(
          from.db
            .selectFrom('order_line')
            .selectAll()
            .where('orderId', '=', sql.ref<string>('customer_order.id'))
            .where('kind', '=', 'COMPENSATION')
            .orderBy('position'),
        ).as('gifts'),
      ])
      .orderBy('customer_order.acceptedAt', 'desc')
      .orderBy('customer_order.id'),
    paging,
    own,
  );
  const texts = await textsOf(from);
  return {
    ...page,
    items: items.map(({ gifts, ...row }) => ({ ...listedOf(row, texts), gifts: rowsOf(gifts).map(giftView) })),
  };
}

/** One order with its lines and where it has been. Problem `not-found`. */
export async function getOrder(from: Sql, orderId: string): Promise<Order> {
  const row = await from.db
    .selectFrom('customer_order')
    .innerJoin('mirror_organization as organization', 'organization.id', 'customer_order.organizationId')
    .select([...WHOLE.map((name) => `customer_order.${name}` as const), 'organization.erpId as organizationErpId'])
    .where('customer_order.id', '=', orderId)
    .executeTakeFirst();
  if (row === undefined) throw new Problem('not-found', { detail: NO_ORDER });
  const lines = await from.db
    .selectFrom('order_line')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('position')
    .execute();
  const moves = await from.db
    .selectFrom('order_move')
    .select(['state', 'problem', 'at'])
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute();
  return {
    ...listedOf(row, await textsOf(from)),
    cancellable: isUntold(row),
    lines: lines.filter(({ kind }) => kind !== 'COMPENSATION').map(lineView),
    gifts: lines.filter(({ kind }) => kind === 'COMPENSATION').map(giftView),
    subtotal: row.subtotalKopecks,
    discounts: row.discounts.map(({ code, name, amountKopecks }) => ({ code, name, amount: amountKopecks })),
    deliveryFee: row.deliveryFeeKopecks,
    persons: row.persons,
    statusHistory: moves.map(({ state, problem, at }) => ({
      status: state,
      at: momentText(at.getTime(), row.timeZone),
      problem,
    })),
  };
}

/** A line, read as a row or nested in another one. */
type LineRow = Selectable<Tables['order_line']> | AsJson<Selectable<Tables['order_line']>>;

const lineView = ({ kind, productId, variantId, name, variantName, quantity, ...line }: LineRow) => ({
  type: kind,
  productId,
  variantId,
  name,
  variantName,
  quantity,
  modifiers: line.modifiers.map((each) => ({
    modifierId: each.modifierId,
    name: each.name,
    quantity: each.quantity,
    freeQuantity: each.freeQuantity,
    unitPrice: each.unitPriceKopecks,
  })),
  unitPrice: line.unitPriceKopecks,
  lineTotal: line.lineTotalKopecks,
  orderable: kind === 'ITEM',
  hidden: line.isHidden,
});

const giftView = (row: LineRow): OrderGift => ({
  ...lineView(row),
  total: row.lineTotalKopecks,
  leftOut: row.leftOutAt !== null,
  unavailableReason: 'NOT_SOLD',
});

/** What is answered instead of an order that nobody may see. */
export const NO_ORDER = 'There is no such order.';

/** What guests read, in the language of the setting. */
export const textsOf = async (from: Sql): Promise<GuestTexts> =>
  guestTexts((await readSettings(from, 'guest_language')).guest_language);

type ListedRow = {
  id: string;
  number: string;
  state: ListedOrder['status'];
  problem: ListedOrder['problem'];
  fulfillmentType: ListedOrder['fulfillment']['type'];
  slotId: string;
  timeZone: string;
  dueAt: Date;
  etaMinutes: number;
  paymentMethod: string;
  totalKopecks: number;
  acceptedAt: Date;
  organizationErpId: string;
};

/** An order as lists show it. */
export function listedOf(row: ListedRow, texts: GuestTexts): Omit<ListedOrder, 'gifts'> {
  const { id, number, state, problem, timeZone } = row;
  return {
    orderId: id,
    number,
    organizationId: row.organizationErpId,
    status: state,
    message: (problem === null ? undefined : texts.orderProblems[problem]) ?? texts.orderStates[state],
    problem,
    fulfillment: { type: row.fulfillmentType, slotId: row.slotId },
    paymentMethod: row.paymentMethod,
    eta: { minutes: row.etaMinutes, at: momentText(row.dueAt.getTime(), timeZone) },
    total: row.totalKopecks,
    createdAt: momentText(row.acceptedAt.getTime(), timeZone),
  };
}
