import { requestedLanguage } from '../../../kernel/guest-language.ts';
import { sql, type AliasableExpression, type Selectable } from 'kysely';
import type { ListedOrder, Order, OrderChannel, OrderGift } from '../schemas/orders.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Tables } from '../../../platform/db/tables.ts';
import { nestRows, unnestRows, type AsJson } from '../../../platform/db/nested-rows.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { phoneDigests } from '../../gifts/clients/clients.ts';
import { erpOrders, knownLines, listedErpOrders, wholeErpOrder } from './erp-order-view.ts';

import { ordersOfPhone } from './orders-of-phone.ts';
import {
  readMergedPage,
  type Part,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../../kernel/cursor-pages.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import type { OrderState } from '../rules/order-states.ts';
import { isUntold } from './withdraw-order.ts';
import { guestTexts, type GuestTexts } from './guest-texts.ts';
import { statusHistory } from './status-history.ts';

const LISTED = [
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

export const ORDER_COLUMNS = { createdAt: 'at', status: 'state', total: 'totalKopecks' } as const;

const WHOLE = [
  ...LISTED,
  'subtotalKopecks',
  'deliveryFeeKopecks',
  'discounts',
  'persons',
  'erpOrderId',
  'unansweredSince',
] as const;

export type OrderKey = { id: string; at: Date; channel: OrderChannel } & Pick<
  ListedRow,
  'number' | 'state' | 'totalKopecks'
>;

export const KEY_COLUMNS = ['id', 'number', 'state', 'totalKopecks'] as const;

export type ListsOfChannels<Shown> = Readonly<
  Record<OrderChannel, (ids: string[]) => Promise<ReadonlyMap<string, Shown>>>
>;

async function pageOfChannels<Shown>(
  from: Sql,
  keys: AliasableExpression<OrderKey>,
  paging: Paging,
  lists: ListsOfChannels<Shown>,
): Promise<Page<Shown>> {
  const { items, ...page } = await readPage(
    from.db.selectFrom(keys.as('key')).selectAll().orderBy('key.at', 'desc').orderBy('key.id'),
    paging,
  );

  return { ...page, items: await readShown(items, lists) };
}

const NEWEST_FIRST: ListOrder = {
  own: [
    { field: 'at', direction: 'desc' },
    { field: 'id', direction: 'asc' },
  ],
  columns: {},
};

/** Rule ORD-132. */
export async function cursorPageOfChannels<Shown>(
  from: Sql,
  keys: readonly Part<OrderKey>[],
  paging: CursorPaging,
  lists: ListsOfChannels<Shown>,
): Promise<CursorPage<Shown>> {
  const { items, ...page } = await readMergedPage(from, keys, paging, NEWEST_FIRST);
  return { ...page, items: await readShown(items, lists) };
}

async function readShown<Shown>(
  items: readonly OrderKey[],
  lists: ListsOfChannels<Shown>,
): Promise<Shown[]> {
  const shown = new Map<string, Shown>();
  for (const [channel, keys] of Map.groupBy(items, (key) => key.channel))
    for (const [id, order] of await lists[channel](keys.map((key) => key.id))) shown.set(id, order);
  return items.flatMap(({ id }) => shown.get(id) ?? []);
}

/**
 * Lists a customer's orders, newest first. The verified phone finds orders from other channels
 * (rules ORD-95, ORD-106).
 */
export async function listOwnOrders(
  deps: { db: Sql; secrets: SecretBox },
  { customerId, verifiedPhone }: { customerId: string; verifiedPhone: string | null },
  paging: Paging,
): Promise<Page<ListedOrder>> {
  const from = deps.db;
  const digests = verifiedPhone === null ? [] : phoneDigests(deps, verifiedPhone);
  const own = from.db
    .selectFrom('customer_order')
    .select([...KEY_COLUMNS, 'acceptedAt as at', sql<OrderChannel>`'CARTE'`.as('channel')])
    .where('customerId', '=', customerId);

  const elsewhere = from.db
    .selectFrom('erp_order')
    .select([...KEY_COLUMNS, 'placedAt as at', sql<OrderChannel>`'ERP'`.as('channel')])
    .where('id', 'in', ordersOfPhone(from, digests))
    .where('movedTo', 'is', null);

  const texts = await readGuestTexts(from);

  return pageOfChannels(from, own.unionAll(elsewhere), paging, {
    CARTE: (ids) => listedOrders(from, ids, texts),
    ERP: (ids) => listedErpOrders(from, ids, texts),
  });
}

export const ordersHere = ({ db }: Sql, ids: readonly string[]) =>
  db
    .selectFrom('customer_order')
    .innerJoin(
      'mirror_organization as organization',
      'organization.id',
      'customer_order.organizationId',
    )
    .select([
      ...LISTED.map((name) => `customer_order.${name}` as const),
      'organization.erpId as organizationErpId',
    ])
    .where('customer_order.id', '=', anyOf(ids, 'uuid'));

async function listedOrders(
  from: Sql,
  ids: readonly string[],
  texts: GuestTexts,
): Promise<Map<string, ListedOrder>> {
  const rows = await ordersHere(from, ids)
    .select(
      nestRows(
        from.db
          .selectFrom('order_line')
          .selectAll()
          .where('orderId', '=', sql.ref<string>('customer_order.id'))
          .where('kind', '=', 'COMPENSATION')
          .orderBy('position'),
      ).as('gifts'),
    )
    .execute();

  return new Map(
    rows.map(({ gifts, ...row }) => [
      row.id,
      { ...toListedOrder(row, texts), gifts: unnestRows(gifts).map(giftView) },
    ]),
  );
}

/** Reads an order of any channel. Problem `not-found`. */
export async function getOrder(from: Sql, orderId: string): Promise<Order> {
  const own = await getOwnOrder(from, orderId);
  if (own !== null) return own;
  const elsewhere = await erpOrders(from)
    .where('erp_order.id', '=', orderId)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NO_ORDER }));
  const lines = await knownLines(from, [elsewhere]);

  return wholeErpOrder(elsewhere, lines.get(orderId) ?? [], await readGuestTexts(from));
}

/** Throws `not-found`. Throws `problem` for an order that only the restaurant can change. */
export async function requireMadeHere(
  from: Sql,
  orderId: string,
  problem: 'order-not-cancellable' | 'invalid-transition',
): Promise<void> {
  const { channel, state } = await readChannel(from, orderId);
  if (channel === 'ERP')
    throw new Problem(problem, {
      detail: 'The order was not made here: only the restaurant can change it.',
      extra: { orderStatus: state },
    });
}

/** Problem `not-found`. */
export async function readChannel(
  from: Sql,
  orderId: string,
): Promise<{ channel: OrderChannel; state: OrderState }> {
  return from.db
    .selectFrom('customer_order')
    .select(['state', sql<OrderChannel>`'CARTE'`.as('channel')])
    .where('id', '=', orderId)
    .unionAll(
      from.db
        .selectFrom('erp_order')
        .select(['state', sql<OrderChannel>`'ERP'`.as('channel')])
        .where('id', '=', orderId)
        .where('movedTo', 'is', null),
    )
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NO_ORDER }));
}

async function getOwnOrder(from: Sql, orderId: string): Promise<Order | null> {
  const row = await from.db
    .selectFrom('customer_order')
    .innerJoin(
      'mirror_organization as organization',
      'organization.id',
      'customer_order.organizationId',
    )
    .select([
      ...WHOLE.map((name) => `customer_order.${name}` as const),
      'organization.erpId as organizationErpId',
    ])
    .where('customer_order.id', '=', orderId)
    .executeTakeFirst();
  if (row === undefined) return null;

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
    ...toListedOrder(row, await readGuestTexts(from)),
    cancellable: isUntold(row),
    lines: lines.filter(({ kind }) => kind !== 'COMPENSATION').map(lineView),
    gifts: lines.filter(({ kind }) => kind === 'COMPENSATION').map(giftView),
    subtotal: row.subtotalKopecks,
    discounts: row.discounts.map(({ code, name, amountKopecks }) => ({
      code,
      name,
      amount: amountKopecks,
    })),
    deliveryFee: row.deliveryFeeKopecks,
    persons: row.persons,
    statusHistory: statusHistory(moves, row.timeZone),
  };
}

type LineRow = Selectable<Tables['order_line']> | AsJson<Selectable<Tables['order_line']>>;

const lineView = ({
  kind,
  productId,
  variantId,
  name,
  variantName,
  quantity,
  ...line
}: LineRow) => ({
  type: kind,
  productId,
  variantId,
  name,
  variantName,
  quantity,
  modifiers: line.modifiers.map((modifier) => ({
    modifierId: modifier.modifierId,
    name: modifier.name,
    quantity: modifier.quantity,
    freeQuantity: modifier.freeQuantity,
    unitPrice: modifier.unitPriceKopecks,
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

export const NO_ORDER = 'The order does not exist.';

/** Uses the language of the request, or else of the setting (HTTP-103). */
export const readGuestTexts = async (from: Sql): Promise<GuestTexts> =>
  guestTexts(requestedLanguage() ?? (await readSettings(from, 'guest_language')).guest_language);

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

export function toListedOrder(row: ListedRow, texts: GuestTexts): Omit<ListedOrder, 'gifts'> {
  const { id, number, state, problem, timeZone } = row;
  return {
    orderId: id,
    channel: 'CARTE',
    number,
    organizationId: row.organizationErpId,
    status: state,
    message:
      (problem === null ? undefined : texts.orderProblems[problem]) ?? texts.orderStates[state],
    problem,
    fulfillment: { type: row.fulfillmentType, slotId: row.slotId },
    paymentMethod: row.paymentMethod,
    eta: { minutes: row.etaMinutes, at: momentText(row.dueAt.getTime(), timeZone) },
    total: row.totalKopecks,
    createdAt: momentText(row.acceptedAt.getTime(), timeZone),
  };
}
