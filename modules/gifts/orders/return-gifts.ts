import { sql } from 'kysely';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { raiseNotification } from '../../notifications/raise-notification.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { grantRight } from '../rights/grant-right.ts';
import { moveRights, returnedUntil } from '../rights/move-rights.ts';
import { returnedParts } from '../rules/order-gifts.ts';
import { withdrawUnits, type UnauthorizedUnits } from './write-unauthorized.ts';

/**
 * `orderId` is our id, or else the ERP's id. Any of `orderIds` may have redeemed rights.
 */
export type ReturningOrder = { orderId: string; orderIds: readonly string[] };

const CANCELLATIONS = systemActor('order-cancellations');

const RESUMED = 'ORDER_RESUMED';

/**
 * Grants new rights for the redeemed rights of a canceled order, and notifies staff (rule CMP-96).
 * If later orders contain the gifts, redeems the new rights (rules CMP-113, CMP-117). Idempotent.
 */
export async function returnGifts(
  tx: Sql,
  { orderId, orderIds }: ReturningOrder,
  at = new Date(),
): Promise<void> {
  const redeemed = await redeemedBy(tx, orderIds);
  if (redeemed.length === 0) return;
  await holdClients(
    tx,
    redeemed.map(({ clientId }) => clientId),
  );

  const { gift_return_days: days } = await readSettings(tx, 'gift_return_days');
  const earliest = returnedUntil(at, days);

  for (const { id, expiresAt, redeemedAt, ...right } of redeemed) {
    const { clientId, rewardId } = right;
    const returned = await returnedFor(tx, { orderId, id, clientId });
    if (returned.some(({ isTakenBack }) => !isTakenBack)) continue;
    const marker = buildMarker(orderId, id);
    const repeated = await repeatedGifts(tx, { clientId, rewardId, since: redeemedAt! });

    for (const [index, { quantity, gift }] of returnedParts(right.quantity, repeated).entries()) {
      const compensationId = await grantRight(tx, CANCELLATIONS, {
        ...right,
        quantity,
        source: 'AUTO',
        sourceMarker: partMarker(marker, returned.length + index),
        sourceOrderId: orderId,
        grantedBy: 'SYSTEM',
        expiresAt: expiresAt === null || expiresAt > earliest ? expiresAt : earliest,
        at,
      });
      if (compensationId === null) continue;

      await raiseNotification(tx, {
        kind: 'COMPENSATION_RETURNED',
        subjectType: 'compensation',
        subjectId: compensationId,
        details: { orderId, returnedFor: id, rewardId, quantity },
      });

      if (gift !== null) await redeemReturned(tx, { id: compensationId, quantity, at }, gift);
    }
  }
}

/**
 * Cancels rights granted by {@link returnGifts} if the order is resumed (rule CMP-97). If a right
 * is used or reserved, it stays and staff are notified. Idempotent.
 */
export async function takeBackReturnedGifts(
  tx: Sql,
  { orderId, orderIds }: ReturningOrder,
  at = new Date(),
): Promise<void> {
  for (const { id, clientId } of await redeemedBy(tx, orderIds)) {
    for (const { id: returnedId, status } of await returnedFor(tx, { orderId, id, clientId })) {
      if (status === 'BLOCKED')
        await moveRights(tx, CANCELLATIONS, { ids: [returnedId] }, { move: 'UNBLOCK', at });
      const { moved, refused } = await moveRights(
        tx,
        CANCELLATIONS,
        { ids: [returnedId] },
        { move: 'CANCEL', reason: RESUMED, at },
      );

      const used = refused.find(
        (right) => right.status === 'RESERVED' || right.status === 'REDEEMED',
      );
      if (moved.length === 0 && used !== undefined)
        await raiseNotification(tx, {
          kind: 'COMPENSATION_DIVERGENCE',
          subjectType: 'compensation',
          subjectId: returnedId,
          details: {
            what: 'RETURNED_AND_RESUMED',
            orderId,
            usedBy: used.redeemedOrderId ?? used.reservedOrderId,
          },
        });
    }
  }
}

const DIVIDED = 'RETURNED_IN_PARTS';

/**
 * Splits `lacking` units off a returned right (rule CMP-117). Returns false for other rights, which
 * are redeemed as a whole. Requires a locked client.
 */
export async function divideReturned(
  tx: Sql,
  id: string,
  lacking: number,
  at = new Date(),
): Promise<boolean> {
  const right = await tx.db
    .selectFrom('compensation')
    .select([
      'clientId',
      'rewardId',
      'quantity',
      'reason',
      'reasonCommentId',
      'sourceMarker',
      'sourceOrderId',
      'expiresAt',
    ])
    .where('id', '=', id)
    .where('source', '=', 'AUTO')
    .where('status', '=', 'GRANTED')
    .executeTakeFirst();

  const marker = /^order:[^:]+:[^:]+/.exec(right?.sourceMarker ?? '')?.[0];
  if (right === undefined || marker === undefined) return false;
  const { clientId, rewardId, quantity, ...others } = right;
  const { sourceMarker: _, ...kept } = others;
  const terms = { before: { ...kept, quantity }, after: { ...kept, quantity: quantity - lacking } };
  const { moved } = await moveRights(
    tx,
    CANCELLATIONS,
    { ids: [id] },
    { move: 'EDIT', reason: DIVIDED, at, terms },
  );
  if (moved.length === 0) return false;

  const parts = await readParts(tx, { marker, clientId });
  await grantRight(tx, CANCELLATIONS, {
    ...kept,
    clientId,
    rewardId,
    quantity: lacking,
    source: 'AUTO',
    sourceMarker: partMarker(marker, parts.length),
    grantedBy: 'SYSTEM',
    at,
  });

  return true;
}

const partMarker = (marker: string, parts: number): string =>
  parts === 0 ? marker : `${marker}:${parts + 1}`;

const buildMarker = (orderId: string, compensationId: string): string =>
  `order:${orderId}:${compensationId}`;

function redeemedBy({ db }: Sql, orderIds: readonly string[]) {
  return db
    .selectFrom('compensation')
    .select([
      'id',
      'clientId',
      'rewardId',
      'quantity',
      'reason',
      'reasonCommentId',
      'expiresAt',
      'redeemedAt',
    ])
    .where('redeemedOrderId', '=', anyOf(orderIds, 'uuid'))
    .where('status', '=', 'REDEEMED')
    .orderBy('id')
    .execute();
}

/** Rights that have replaced this right since the first cancellation. */
const returnedFor = (
  tx: Sql,
  { orderId, id, clientId }: { orderId: string; id: string; clientId: string },
) => readParts(tx, { marker: buildMarker(orderId, id), clientId });

function readParts({ db }: Sql, { marker, clientId }: { marker: string; clientId: string }) {
  return db
    .selectFrom('compensation')
    .select(['id', 'status'])
    .select(
      sql<boolean>`exists (select from compensation_move move where move.compensation_id = compensation.id and move.reason = ${RESUMED})`.as(
        'isTakenBack',
      ),
    )
    .where('clientId', '=', clientId)
    .where('source', '=', 'AUTO')
    .where(sql<boolean>`(source_marker = ${marker} or starts_with(source_marker, ${`${marker}:`}))`)
    .orderBy('grantedAt')
    .orderBy('id')
    .execute();
}

type RepeatedGift = UnauthorizedUnits & { erpOrderId: string };

/**
 * Gifts that are unauthorized only because a canceled order had used the right (rule CMP-96).
 * Includes allowed gifts (rule CMP-113), but not rejected ones. `since` is the redemption time.
 */
function repeatedGifts(
  { db }: Sql,
  { clientId, rewardId, since }: { clientId: string; rewardId: number; since: Date },
): Promise<RepeatedGift[]> {
  return db
    .selectFrom('unauthorized_gift as gift')
    .innerJoin('erp_gift_order as order', 'order.id', 'gift.giftOrderId')
    .innerJoin('erp_gift_line as line', (join) =>
      join
        .onRef('line.giftOrderId', '=', 'gift.giftOrderId')
        .onRef('line.erpItemId', '=', 'gift.erpItemId')
        .onRef('line.erpSizeId', '=', 'gift.erpSizeId'),
    )
    .select(['gift.id', 'gift.status', 'gift.quantity', 'order.erpOrderId'])
    .where('gift.clientId', '=', clientId)
    .where('gift.status', 'in', ['OPEN', 'ALLOWED'])
    .where('gift.kind', '=', 'REPEATED')
    .where('gift.foundAt', '>=', since)
    .where('order.ownOrderId', 'is', null)
    .where('order.status', '<>', 'Cancelled')
    .where(sql<boolean>`line.reward_ids @> array[${rewardId}]::bigint[]`)
    .orderBy('gift.foundAt')
    .orderBy('gift.id')
    .forUpdate('gift')
    .execute();
}

async function redeemReturned(
  tx: Sql,
  { id, quantity, at }: { id: string; quantity: number; at: Date },
  { erpOrderId, ...gift }: RepeatedGift,
): Promise<void> {
  await moveRights(tx, CANCELLATIONS, { ids: [id] }, { move: 'IMPORT', orderId: erpOrderId, at });
  await withdrawUnits(tx, CANCELLATIONS, gift, quantity);
}

/**
 * Locks clients by id, so that a cancellation and the replacing order see each other's changes.
 */
export async function holdClients({ db }: Sql, ids: readonly string[]): Promise<void> {
  await db
    .selectFrom('compensation_client')
    .select('id')
    .where('id', '=', anyOf([...new Set(ids)], 'uuid'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}
