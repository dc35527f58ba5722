import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@temporalio/client';
import { QUEUES } from '../../../kernel/pure/queues.ts';
import type { Database } from '../text-database.ts';
import type { Emulator } from '../../../packages/erp-emulator/server.ts';
import type { AdminClient } from '../admin-client.ts';
import { isForeign, ordersAtErp, type AtErp } from './erp-weather.ts';
import type { ForeignOrders } from './foreign-orders.ts';
import { plus, selectRows, updateRows } from '../rows.ts';

type Known = { erpOrderId: string; atErp: number; unauthorized: number };

type Account = { organizationId: string; atErp: number; accounted: number };

/** Totals over orders, and the number of orders in which they differ. */
type Sums = { atErp: number; accounted: number; differingOrders: number };

/**
 * Compares the gifts of each order at the ERP with redeemed rights plus gifts without a right. If
 * operators removed gifts, up to that many units may be missing at the ERP, because their rights
 * stay used.
 */
export async function giftAccounts(
  db: Database,
  emulator: Emulator,
  { takenOut }: Pick<ForeignOrders, 'takenOut'>,
): Promise<{ differences: string[]; sums: Map<string, Sums> }> {
  const redeemed = await db.db
    .selectFrom('compensation as c')
    .innerJoin('reward as r', 'r.id', 'c.rewardId')
    .where('c.status', '=', 'REDEEMED')
    .select(['c.id', 'c.redeemedOrderId as orderId', 'c.quantity', 'r.erpItemId as itemId'])
    .execute();
  const rewards = await selectRows(db, 'reward', ['erpItemId as itemId']);
  const gifts = new Set(rewards.map(({ itemId }) => itemId));
  const existing = await db.query<Known>(
    `select o.erp_order_id as "erpOrderId",
            (select coalesce(sum(quantity), 0)::int from erp_gift_line where gift_order_id = o.id) as "atErp",
            (select coalesce(sum(quantity), 0)::int from unauthorized_gift where gift_order_id = o.id and status <> 'WITHDRAWN') as unauthorized
       from erp_gift_order o`,
  );
  const byId = new Map(existing.map((entry) => [entry.erpOrderId, entry]));
  const orders = (await ordersAtErp(emulator)).filter(
    ({ creationStatus }) => creationStatus === 'Success',
  );
  const formerIds = new Map<string, string[]>();
  for (const order of orders) {
    const last = findLast(orders, order);
    formerIds.set(last.id, [...(formerIds.get(last.id) ?? []), order.id]);
  }
  const differences: string[] = [];
  const accounts: Account[] = [];
  const accountedRights = new Set<string>();
  for (const [lastId, ids] of formerIds) {
    const last = orders.find(({ id }) => id === lastId)!;
    const names = new Set([...ids, ...(isForeign(last) ? [] : [last.sent.id])]);
    const lines = last.sent.items.filter(({ productId = '' }) => gifts.has(productId));
    const units = lines.reduce(
      (sum, { amount, deleted }) => sum + (deleted === undefined ? amount : 0),
      0,
    );
    const rights = redeemed.filter(({ orderId }) => names.has(orderId!));
    const { atErp = 0, unauthorized = 0 } = byId.get(lastId) ?? {};
    const accounted = unauthorized + rights.reduce((sum, { quantity }) => sum + quantity, 0);
    const isCancelled = last.order?.status === 'Cancelled';
    const removed = ids.reduce((sum, id) => sum + (takenOut.get(id) ?? 0), 0);
    const what = `order ${lastId} (${last.order?.status}, ${isForeign(last) ? 'an operator’s' : 'ours'}, ${removed} taken out)`;
    if (!isCancelled && atErp !== units)
      differences.push(`${what} has ${units} gifts at the ERP, we know ${atErp}`);
    const difference = accounted - atErp;
    if (isCancelled && unauthorized > 0)
      differences.push(
        `${what} has ${unauthorized} gifts without a right, although it is canceled`,
      );
    if (!isCancelled && (difference < 0 || difference > removed))
      differences.push(`${what} has ${atErp} gifts, ${accounted} are accounted for`);
    for (const { id, itemId } of rights) {
      accountedRights.add(id);
      if (!lines.some(({ productId }) => productId === itemId))
        differences.push(`right ${id} is redeemed by ${what}, which has never had its gift`);
    }
    // Canceled orders count on neither side (CMP-96).
    const account = isCancelled ? { atErp: 0, accounted: 0 } : { atErp, accounted };
    accounts.push({ organizationId: last.organizationId, ...account });
  }
  for (const { id, orderId } of redeemed)
    if (!accountedRights.has(id))
      differences.push(`right ${id} is redeemed by ${orderId}, which the ERP does not have`);
  const sums = Map.groupBy(accounts, ({ organizationId }) => organizationId);
  return { differences, sums: new Map([...sums].map(([id, all]) => [id, sumAccounts(all)])) };
}

function findLast(orders: readonly AtErp[], order: AtErp): AtErp {
  const next = orders.find(({ id }) => id === order.order?.movedToDeliveryId);
  return next === undefined ? order : findLast(orders, next);
}

const sumAccounts = (accounts: readonly Account[]): Sums => ({
  atErp: accounts.reduce((sum, account) => sum + account.atErp, 0),
  accounted: accounts.reduce((sum, account) => sum + account.accounted, 0),
  differingOrders: accounts.filter((account) => account.atErp !== account.accounted).length,
});

type Day = {
  organizationErpId: string;
  atErp: number;
  redeemed: number;
  unauthorized: number;
  differingOrders: number;
  checkedAt: string | null;
};

export type GiftSheet = Omit<Day, 'organizationErpId' | 'checkedAt'> & { days: number };

/** Runs the comparison for the days of the run. It must not change any right. */
export async function giftSheet(
  { db, emulator }: { db: Database; emulator: Emulator },
  { temporal, admin, foreign }: { temporal: Client; admin: AdminClient; foreign: ForeignOrders },
): Promise<{ differences: string[]; sheet: GiftSheet }> {
  const before = await giftAccounts(db, emulator, foreign);
  await updateRows(db, 'erp_gift_order', { day: plus('day', -1) });
  const connections = await selectRows(db, 'connection', ['id']);
  for (const { id: connectionId } of connections)
    await temporal.workflow.execute('giftReconciliation', {
      workflowId: `gift-reconciliation/after-chaos/${connectionId}`,
      taskQueue: QUEUES.workflows,
      args: [{ connectionId, timeZone: 'Europe/Kaliningrad', queues: QUEUES }],
    });
  const { sums } = await giftAccounts(db, emulator, foreign);
  const today = Temporal.Now.plainDateISO();
  const [from, to] = [today.subtract({ days: 3 }), today.add({ days: 1 })].map(String);
  const { items: days } = await admin.get<{ items: Day[] }>(
    `/compensations/reconciliation?from=${from}&to=${to}&size=200`,
  );
  const told = await selectRows(db, 'notification', '*', {
    kind: 'GIFTS_DIFFER',
    resolvedAt: null,
  });
  const differing = days.filter(({ differingOrders }) => differingOrders > 0).length;
  const differences = [
    ...new Set([...sums.keys(), ...days.map((day) => day.organizationErpId)]),
  ].flatMap((id) => {
    const ofProduct = sumDays(days.filter(({ organizationErpId }) => organizationErpId === id));
    const { atErp, accounted, differingOrders } = sums.get(id) ?? sumAccounts([]);
    const isEven =
      ofProduct.atErp === atErp &&
      ofProduct.redeemed + ofProduct.unauthorized === accounted &&
      ofProduct.differingOrders === differingOrders;
    const wanted = { atErp, accounted, differingOrders };
    return isEven
      ? []
      : [
          `the sheet of ${id} says ${JSON.stringify(ofProduct)}, the orders ${JSON.stringify(wanted)}`,
        ];
  });
  return {
    differences: [
      ...(isDeepStrictEqual(before.sums, sums)
        ? []
        : ['the comparison has read gifts that nobody had heard of']),
      ...differences,
      ...days.flatMap(({ checkedAt, organizationErpId }) =>
        checkedAt === null ? [`a day of ${organizationErpId} was not compared`] : [],
      ),
      ...(told.length === differing
        ? []
        : [`${differing} days differ, people are told of ${told.length}`]),
    ],
    sheet: { days: days.length, ...sumDays(days) },
  };
}

const sumDays = (days: readonly Day[]) => ({
  atErp: days.reduce((sum, day) => sum + day.atErp, 0),
  redeemed: days.reduce((sum, day) => sum + day.redeemed, 0),
  unauthorized: days.reduce((sum, day) => sum + day.unauthorized, 0),
  differingOrders: days.reduce((sum, day) => sum + day.differingOrders, 0),
});
