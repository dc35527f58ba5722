import type { Database } from '../text-database.ts';
import type { Emulator } from '../../../packages/erp-emulator/server.ts';
import { isForeign, ordersAtErp, type AtErp } from './erp-weather.ts';

type Row = {
  id: string;
  cartId: string;
  state: string;
  problem: string | null;
  erpOrderId: string | null;
  isDelivery: boolean;
  /**
   * Kopecks without the fee, which the ERP gets in the comment. Lines exclude a gift that the ERP
   * already has (CMP-85).
   */
  sum: number;
  lines: number;
  discounts: number;
  uses: number;
};

const ENDS: Readonly<Record<string, string>> = { Closed: 'CLOSED', Cancelled: 'CANCELLED' };

/** Lists faults of orders after a run, one sentence each. */
export async function orderDifferences(
  db: Database,
  emulator: Emulator,
  placed: ReadonlyMap<string, string>,
): Promise<string[]> {
  const rows = await db.query<Row>(
    `select o.id, o.cart_id as "cartId", o.state, o.problem, o.erp_order_id as "erpOrderId",
            o.fulfillment_type = 'DELIVERY' as "isDelivery", o.total_kopecks - o.delivery_fee_kopecks as sum,
            (select count(*)::int from order_line where order_id = o.id and left_out_at is null) as lines,
            jsonb_array_length(o.discounts) as discounts,
            (select count(*)::int from discount_use where order_id = o.id) as uses
       from customer_order o`,
  );
  const ofGuests = (await ordersAtErp(emulator)).filter((erp) => !isForeign(erp));
  const atErp = Map.groupBy(ofGuests, ({ sent }) => sent.id);
  const ours = new Map(rows.map((row) => [row.id, row]));
  const overUsed = await db.query<{ id: number }>(
    `select d.id from discount d join discount_use u on u.discount_id = d.id
      group by d.id having count(*) > d.total_uses`,
  );
  const untold = await db.query<{ id: string }>(
    `select o.id from customer_order o where o.state = 'FAILED' and not exists (
       select 1 from notification n join notification_member m on m.notification_id = n.id
        where m.member_id = o.id::text and n.kind in ('ORDER_DIVERGENCE', 'ORDER_NOT_SENT'))`,
  );
  return [
    ...[...placed].flatMap(([cartId, orderId]) =>
      ours.get(orderId)?.cartId === cartId ? [] : [`order ${orderId} of cart ${cartId} is lost`],
    ),
    ...twice(rows.map((row) => row.cartId)).map((cartId) => `cart ${cartId} has several orders`),
    ...[...atErp.keys()].flatMap((id) =>
      ours.has(id) ? [] : [`the ERP has order ${id}, which nobody placed`],
    ),
    ...overUsed.map(({ id }) => `discount ${id} is used too often`),
    ...untold.map(({ id }) => `nobody was told that order ${id} failed`),
    ...rows.flatMap((row) => findDifferences(row, atErp.get(row.id) ?? [])),
  ];
}

function findDifferences(row: Row, found: readonly AtErp[]): string[] {
  const { id, state, problem, erpOrderId, discounts, uses } = row;
  const what = `order ${id} (${state}, ${problem})`;
  // All copies of a moved order except the last are canceled.
  const living = found.filter(({ order }) => order?.movedToDeliveryId == null);
  const last = found.find((erp) => erp.id === (erpOrderId ?? id));
  const differences: string[] = [];
  if (living.length > 1) differences.push(`${what} is at the ERP ${living.length} times`);
  const isNothing = state === 'FAILED' || state === 'CANCELLED';
  if (uses !== (isNothing ? 0 : discounts))
    differences.push(`${what} counts ${uses} uses of ${discounts} discounts`);
  if (!isNothing && state !== 'CLOSED') return [...differences, `${what} has not ended`];
  if (isNothing && problem === null) differences.push(`${what} says no reason`);
  if (last === undefined) {
    if (state === 'CLOSED' || found.length > 0)
      differences.push(`${what}: the ERP has ${found.length} of it`);
    return differences;
  }
  differences.push(
    ...found.flatMap(({ sent }) => wordsAmiss(row, sent).map((text) => `${what}: ${text}`)),
  );
  const there = last.creationStatus === 'Error' ? 'FAILED' : ENDS[last.order?.status ?? ''];
  if (there !== state)
    differences.push(`${what} is ${last.creationStatus} ${last.order?.status} at the ERP`);
  return differences;
}

function wordsAmiss({ isDelivery, sum, lines }: Row, sent: AtErp['sent']): string[] {
  const paid = sent.payments.reduce((total, payment) => total + Math.round(payment.sum * 100), 0);
  return [
    ...(paid === sum ? [] : [`${paid} kopecks are to be paid at the ERP, ${sum} here`]),
    ...(sent.items.length === lines
      ? []
      : [`${sent.items.length} lines at the ERP, ${lines} here`]),
    ...((sent.deliveryPoint !== undefined) === isDelivery
      ? []
      : ['only one of both knows an address']),
  ];
}

const twice = (list: readonly string[]): string[] => [
  ...new Set(list.filter((text, at) => list.indexOf(text) !== at)),
];
