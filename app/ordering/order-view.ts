import type { ListedOrder, Order } from '../../contracts/orders.ts';
import { Problem } from '../../contracts/problem.ts';
import type { Sql } from '../database.ts';

import { readPage, type Page, type Paging } from '../pages.ts';
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
export async function listOwnOrders(sql: Sql, customerId: string, paging: Paging): Promise<Page<ListedOrder>> {
  const own = sql.db.selectFrom('customer_order').where('customer_order.customerId', '=', customerId);
  const { items, ...page } = await readPage(
    own
      .innerJoin('mirror_organization as organization', 'organization.id', 'customer_order.organizationId')
      .select([...LISTED.map((name) => `customer_order.${name}` as const), 'organization.erpId as organizationErpId'])
      .orderBy('customer_order.acceptedAt', 'desc')
      .orderBy('customer_order.id'),
    paging,
    own,
  );
  const texts = await textsOf(sql);
  return { ...page, items: items.map((row) => listedOf(row, texts)) };
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
  const views = lines.map(({ kind, productId, variantId, name, variantName, quantity, modifiers, ...line }) => ({
    type: kind,
    productId,
    variantId,
    name,
    variantName,
    quantity,
    modifiers: modifiers.map((each) => ({
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
  }));
  return {
    ...listedOf(row, await textsOf(from)),
    cancellable: isUntold(row),
    lines: views.filter(({ type }) => type !== 'COMPENSATION'),
    gifts: views.filter(({ type }) => type === 'COMPENSATION'),
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
export function listedOf(row: ListedRow, texts: GuestTexts): ListedOrder {
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
