import { sql } from 'kysely';
import type { OrderGift } from '../rules/order-gifts.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';

type Created = Extract<ErpDelivery, { creation: 'SUCCESS' }>;

/** Locked by the caller. */
export type GiftOrder = {
  id: number;
  erpOrderId: string;
  organizationErpId: string;
  /** Local day. */
  day: string;
  /** Null for an order from another channel. */
  ownOrderId: string | null;
  /** Ids with which rights may have been redeemed. */
  orderIds: readonly string[];
  /** True if the order was not stored before under any of its ids. */
  isFirst: boolean;
  /** State before this change. */
  wasCanceled: boolean;
};

/**
 * Stores an order; null if its state is not newer. A moved order keeps its row under the new id.
 * The latest of `formerIds` is first.
 */
export async function holdGiftOrder(
  tx: Tx,
  {
    connectionId,
    ownOrderId,
    fact,
    formerIds,
  }: {
    connectionId: number;
    ownOrderId: string | null;
    fact: Created;
    formerIds: readonly string[];
  },
): Promise<GiftOrder | null> {
  const { id: erpOrderId, organizationId: organizationErpId, status, timestamp } = fact;
  // Concurrent responses may contain the old and the new id.
  for (const id of [erpOrderId, ...formerIds].toSorted())
    await advisory.giftOrder(tx, connectionId, id);
  if (await wasLeft(tx, connectionId, erpOrderId)) return null;
  for (const former of formerIds) await renameOrder(tx, connectionId, former, erpOrderId);
  const columns = {
    connectionId,
    erpOrderId,
    organizationErpId,
    ownOrderId,
    day: parseDay(fact),
    status,
  };

  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('erp_gift_order')
    .values({ ...columns, formerErpOrderIds: [...formerIds], erpTimestamp: -1 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();

  const row = await tx.db
    .selectFrom('erp_gift_order')
    .select(['id', 'erpTimestamp', 'ownOrderId', 'formerErpOrderIds', 'day', 'status'])
    .where('connectionId', '=', connectionId)
    .where('erpOrderId', '=', erpOrderId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (row.erpTimestamp >= timestamp) return null;

  const formerErpOrderIds = [...new Set([...row.formerErpOrderIds, ...formerIds])];
  const known = { organizationErpId, ownOrderId: row.ownOrderId ?? ownOrderId };
  await tx.db
    .updateTable('erp_gift_order')
    .set({ ...known, formerErpOrderIds, status, erpTimestamp: timestamp, seenAt: sql<Date>`now()` })
    .where('id', '=', row.id)
    .execute();

  const orderIds = [
    erpOrderId,
    ...formerErpOrderIds,
    ...(known.ownOrderId === null ? [] : [known.ownOrderId]),
  ];

  return {
    id: row.id,
    erpOrderId,
    day: row.day,
    ...known,
    orderIds,
    isFirst: numInsertedOrUpdatedRows === 1n,
    wasCanceled: row.status === 'Cancelled',
  };
}

/** True if one of these orders is stored with gifts. */
export async function areGiftsKnown(
  { db }: Tx,
  connectionId: number,
  erpOrderIds: readonly string[],
): Promise<boolean> {
  const existing = await db
    .selectFrom('erp_gift_order')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('erpOrderId', '=', anyOf(erpOrderIds, 'uuid'))
    .limit(1)
    .executeTakeFirst();

  return existing !== undefined;
}

/** True for a former id of a moved order, even if it was never stored with this id. */
async function wasLeft({ db }: Tx, connectionId: number, erpOrderId: string): Promise<boolean> {
  const moved = await db
    .selectFrom('erp_gift_order')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where(sql<boolean>`former_erp_order_ids @> ${[erpOrderId]}::uuid[]`)
    // With a limit, the planner would scan the whole table.
    .executeTakeFirst();

  return moved !== undefined;
}

async function renameOrder(
  tx: Tx,
  connectionId: number,
  former: string,
  now: string,
): Promise<void> {
  const namesake = tx.db
    .selectFrom('erp_gift_order')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('erpOrderId', '=', now);

  await tx.db
    .updateTable('erp_gift_order')
    .set({
      erpOrderId: now,
      formerErpOrderIds: sql<string[]>`array_append(former_erp_order_ids, erp_order_id)`,
    })
    .where('connectionId', '=', connectionId)
    .where('erpOrderId', '=', former)
    .where((eb) => eb.not(eb.exists(namesake)))
    .execute();
}

/** Returns the local day of an order, or the day of its last change. */
export function parseDay({ content: { createdAt }, timestamp }: Created): string {
  const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(createdAt ?? '') ?? [];
  return isDay(day) ? day : new Date(timestamp).toISOString().slice(0, 10);
}

/** Validates the text, because the ERP may send anything. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 999 && date.toISOString().slice(0, 10) === text;
}

type Line = { erpItemId: string; erpSizeId: string; name: string; rewardIds: number[] };

export function readLines({ db }: Tx, giftOrderId: number): Promise<Line[]> {
  return db
    .selectFrom('erp_gift_line')
    .select(['erpItemId', 'erpSizeId', 'name', 'rewardIds'])
    .where('giftOrderId', '=', giftOrderId)
    .orderBy('erpItemId')
    .orderBy('erpSizeId')
    .execute();
}

export async function writeLine({ db }: Tx, giftOrderId: number, gift: OrderGift): Promise<void> {
  const { erpItemId, erpSizeId, name, quantity, rewardIds } = gift;
  await db
    .insertInto('erp_gift_line')
    .values({ giftOrderId, erpItemId, erpSizeId, name, quantity, rewardIds })
    .onConflict((conflict) =>
      conflict
        .columns(['giftOrderId', 'erpItemId', 'erpSizeId'])
        .doUpdateSet({ name, quantity, rewardIds }),
    )
    .execute();
}
