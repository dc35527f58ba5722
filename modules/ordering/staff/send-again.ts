import { sql } from 'kysely';
import type { Actor } from '../../../kernel/actor.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import { Problem } from '../../../kernel/problem.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { anyOf, type Sql, type Tx } from '../../../platform/db/database.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { keepReason } from '../../access/customers/staff-reasons.ts';
import { sizeOfReward } from '../../gifts/rewards/gift-dishes.ts';
import { moveRights } from '../../gifts/rights/move-rights.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { applyErpFact } from '../at-erp/apply-erp-fact.ts';
import { readAtErp } from '../at-erp/look-at-order.ts';
import { inOneState } from '../cart/in-one-state.ts';
import { readTimeFacts } from '../checkout/read-gate-facts.ts';
import { sendUntil } from '../checkout/write-order.ts';
import { requireOpenIntake } from '../orders/intake.ts';
import { moveOrder } from '../orders/move-order.ts';
import { resolveFailedOrder } from '../orders/order-notices.ts';
import { findOrder, holdOrder, type OrderDeps, type OrderRow } from '../orders/order-row.ts';
import { requireMadeHere } from '../orders/order-view.ts';
import { useDiscounts } from '../promotions/discount-uses.ts';
import { ASAP, isTimePossible } from '../rules/gate.ts';
import {
  absenceObstacle,
  ASAP_MS,
  SEND_AGAIN_OBSTACLES,
  type ErpReading,
  type SendAgainObstacle,
} from '../rules/send-again.ts';
import type { StaffOrderSentAgain } from '../schemas/orders.ts';
import { getStaffOrder } from './staff-orders.ts';

const WAIT_MS = 5_000;

type Deps = Pick<OrderDeps, 'db' | 'erp' | 'secrets' | 'metrics'>;

/**
 * Sends a failed order again if the ERP certainly does not have it and its time is possible (rules
 * ORD-180 to ORD-182). Returns gifts that could not be reserved. Problems: not-found,
 * invalid-transition with the obstacle, validation, unavailable, idempotency-key-reused,
 * idempotency-in-flight.
 */
export async function sendOrderAgain(
  deps: Deps,
  actor: Actor,
  orderId: string,
  reasonText: string,
  idempotency: Idempotency | null,
): Promise<StaffOrderSentAgain> {
  const { reason } = requiredTexts({ reason: reasonText }, { reason: 500 }, 'words');
  await requireMadeHere(deps.db, orderId, 'invalid-transition');
  const read = await findOrder(deps.db, orderId);
  const reading = read.state === 'FAILED' ? await readFailedOrder(deps, read) : 'UNANSWERED';

  const { giftsLeftOut } = await inOneState(deps, (tx) =>
    once(tx, idempotency, async () => {
      const row = await holdOrder(tx, orderId);
      // The order may have been sent again and failed since it was read.
      const isSameEnd = row.endedAt?.getTime() === read.endedAt?.getTime();
      await requireAbsence(tx, row, isSameEnd ? reading : 'UNANSWERED');
      return acceptAgain(deps, tx, actor, { row, reason });
    }),
  );

  return { ...(await getStaffOrder(deps, orderId, true)), giftsLeftOut };
}

/** Also applies the ERP's report, so that staff see it. */
async function readFailedOrder(deps: Deps, row: OrderRow): Promise<ErpReading> {
  const signal = AbortSignal.timeout(WAIT_MS);
  const reading = await readAtErp(deps, row, { signal, isHurried: true }).catch(
    (error: unknown) => {
      if (!signal.aborted) throw error;
      return { retryAfterMs: null };
    },
  );
  if ('retryAfterMs' in reading) return 'UNANSWERED';

  const { order: report } = reading;
  if (report === undefined) return 'ABSENT';
  if (report.creation === 'ERROR') return 'REJECTED';
  await deps.db.transaction(async (tx) =>
    applyErpFact(deps, tx, await holdOrder(tx, row.id), report),
  );

  return 'PRESENT';
}

async function requireAbsence(tx: Tx, row: OrderRow, reading: ErpReading): Promise<void> {
  const attempts = await tx.db
    .selectFrom('order_attempt')
    .select(['begunAt', 'outcome'])
    .where('orderId', '=', row.id)
    .execute();
  const obstacle = absenceObstacle({ ...row, attempts }, reading);
  if (obstacle !== null) throw obstacleProblem(obstacle, row);
}

const obstacleProblem = (
  obstacle: SendAgainObstacle,
  { state }: Pick<OrderRow, 'state'>,
): Problem =>
  new Problem('invalid-transition', {
    detail: SEND_AGAIN_OBSTACLES[obstacle],
    extra: { orderStatus: state },
  });

type Again = { row: OrderRow; reason: string };

async function acceptAgain(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { row, reason }: Again,
): Promise<{ giftsLeftOut: string[] }> {
  const terms = await readTerms(tx, row.id);
  await requirePossible(tx, row, terms);

  const { orderId, slotId, customerId } = terms;
  const discountIds = terms.discounts.flatMap(({ discountId }) => discountId ?? []);
  if (!(await useDiscounts(tx, { orderId, customerId, discountIds })))
    throw obstacleProblem('DISCOUNT_USED_UP', row);

  const { order_send_minutes: minutes } = await readSettings(tx, 'order_send_minutes');
  const dueAt =
    slotId === ASAP ? new Date(row.readAt.getTime() + terms.etaMinutes * 60_000) : row.dueAt;
  await moveOrder(deps, tx, row, 'ACCEPTED', 'STAFF', { ...UNSENT, dueAt });
  await tx.db
    .updateTable('customer_order')
    .set({ sendUntil: sendUntil(minutes, slotId) })
    .where('id', '=', orderId)
    .execute();

  await resolveFailedOrder(tx, orderId);

  const reasonId = await keepReason(tx, deps, reason);
  const { gifts, giftsLeftOut } = await reserveAgain(tx, actor, { row, reasonId });
  await recordAudit(tx, actor, {
    entityType: 'order',
    entityId: orderId,
    action: 'send-again',
    before: { state: row.state, problem: row.problem },
    after: { state: 'ACCEPTED', giftsLeftOut },
    reasonId,
  });

  const { organizationId } = row;
  await appendOutbox(tx, 'OrderSentAgain', {
    orderId,
    organizationId,
    gifts,
    cartId: terms.cartId,
    discountIds,
  });

  return { giftsLeftOut };
}

const UNSENT = {
  erpTimestamp: null,
  erpOrderId: null,
  erpNumber: null,
  erpOrganizationErpId: null,
  erpError: null,
  sentAt: null,
  unansweredSince: null,
  missingSince: null,
} as const;

const readTerms = ({ db }: Tx, orderId: string) =>
  db
    .selectFrom('customer_order')
    .select((eb) => [
      'id as orderId',
      'cartId',
      'customerId',
      'fulfillmentType',
      'slotId',
      'timeZone',
      'etaMinutes',
      'acceptedAt',
      'discounts',
      eb('personalDataId', 'is', null).as('isErased'),
      sql<boolean>`exists (select from served_organization served join connection on connection.id = served.connection_id
        where served.id = customer_order.organization_id and connection.status = 'ACTIVE')`.as(
        'isServed',
      ),
      sql<number[]>`array(select distinct product_id from order_line
        where order_id = customer_order.id and product_id is not null)`.as('productIds'),
    ])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();

type Terms = Awaited<ReturnType<typeof readTerms>>;

/** Throws `unavailable` or `invalid-transition`. */
async function requirePossible(tx: Tx, row: OrderRow, terms: Terms): Promise<void> {
  await requireOpenIntake(tx);
  if (terms.isErased) throw obstacleProblem('ERASED', row);
  if (!terms.isServed) throw obstacleProblem('NOT_SERVED', row);
  const { organizationId, readAt } = row;
  const { fulfillmentType: type, slotId, timeZone, productIds } = terms;
  const at = readAt.getTime();
  if (slotId === ASAP && at - terms.acceptedAt.getTime() > ASAP_MS)
    throw obstacleProblem('TOO_LATE', row);
  const wanted = { type, slotId, addressId: null };
  const { time } = await readTimeFacts(tx, {
    organizationId,
    wanted,
    place: null,
    productIds,
    at,
    timeZone,
  });
  if (!isTimePossible({ wanted, time }))
    throw obstacleProblem(slotId === ASAP ? 'NOT_ACCEPTING' : 'TOO_LATE', row);
}

/** Omits rights that were used or changed meanwhile (rule ORD-182). */
async function reserveAgain(
  tx: Tx,
  actor: Actor,
  { row, reasonId }: { row: OrderRow; reasonId: string },
): Promise<{ gifts: string[]; giftsLeftOut: string[] }> {
  const { id: orderId, readAt: at } = row;
  const lines = await giftLines(tx, orderId);
  const ids = lines.filter(({ isSame }) => isSame).map(({ compensationId }) => compensationId);
  const { moved } = await moveRights(
    tx,
    actor,
    { ids },
    { move: 'RESERVE', orderId, reasonId, at },
  );

  const gifts = moved.map(({ id }) => id);
  const giftsLeftOut = lines
    .map(({ compensationId }) => compensationId)
    .filter((id) => !gifts.includes(id));
  await tx.db
    .updateTable('order_line')
    .set((eb) => ({
      leftOutAt: eb
        .case()
        .when('compensationId', '=', anyOf(gifts, 'uuid'))
        .then(null)
        .else(sql<Date>`coalesce(left_out_at, ${at})`)
        .end(),
    }))
    .where('orderId', '=', orderId)
    .where('compensationId', 'is not', null)
    .execute();

  return { gifts, giftsLeftOut };
}

/** `isSame`: the right still grants the same dish in the same size. */
async function giftLines(
  { db }: Sql,
  orderId: string,
): Promise<{ compensationId: string; isSame: boolean }[]> {
  const rows = await db
    .selectFrom('order_line as line')
    .innerJoin('compensation as right', 'right.id', 'line.compensationId')
    .innerJoin('reward', 'reward.id', 'right.rewardId')
    .select((eb) => [
      'right.id as compensationId',
      eb
        .and([
          eb('reward.erpItemId', '=', eb.ref('line.erpItemId')),
          eb('right.quantity', '=', eb.ref('line.quantity')),
          // The size of a dish that left the mirror is unknown.
          sql<boolean>`coalesce(lower(${sizeOfReward}) = coalesce(line.erp_size_id::text, ''), true)`,
        ])
        .as('isSame'),
    ])
    .where('line.orderId', '=', orderId)
    .orderBy('right.id')
    .execute();

  return rows.map(({ compensationId, isSame }) => ({ compensationId, isSame: Boolean(isSame) }));
}
