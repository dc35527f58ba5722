import type { OrderStanding } from '../messages/ordering.ts';
import { erpOrderBody, type OrderToSend } from '../rules/erp-order.ts';
import type { CallOptions } from '../../../erp/call.ts';
import type { ErpCreation } from '../../../erp/endpoints/deliveries-create.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import type { Database } from '../../../platform/db/database.ts';
import { tellFeeInWords } from './delivery-fee-item.ts';
import { afterSending } from '../rules/unknown-answer.ts';
import { writeAnswer } from './write-answer.ts';
import { freshErpChoices } from '../../delivery/configuration/erp-choices.ts';
import { leaveOutTakenGifts } from './leave-out-gifts.ts';
import { tellNotConfigured } from '../orders/not-configured.ts';
import { moveOrder, noteOrder } from '../orders/move-order.ts';
import {
  findOrder,
  holdOrder,
  toStanding,
  type OrderDeps,
  type OrderRow,
} from '../orders/order-row.ts';
import { beginAttempt, endAttempt } from './order-attempts.ts';
import { isIntakeClosed, keepIntake } from '../orders/intake.ts';
import { readOrderToSend, type NotSendable } from './order-to-send.ts';

/**
 * Sends an order once and records the result (rule ORD-50). Marks the row before the call to
 * prevent a withdrawal. Idempotent. Throws only if the database fails.
 */
export async function sendOrder(
  deps: OrderDeps,
  orderId: string,
  options?: CallOptions,
): Promise<OrderStanding> {
  const before = await findOrder(deps.db, orderId);
  if (toStanding(before).stage !== 'TO_SEND') return toStanding(before);
  const order = await readyToSend(deps, before, options);
  if ('standing' in order) return order.standing;
  const attempt = await begin(deps, order.toSend);
  if ('standing' in attempt) return attempt.standing;
  deps.failpoint('order-begun');
  const outcome = await deps.erp.createDelivery(
    before.connectionId,
    erpOrderBody(attempt.toSend),
    options,
  );

  deps.failpoint('order-created');

  return record(deps, orderId, attempt, outcome);
}

type Ended = { standing: OrderStanding };

async function readyToSend(deps: OrderDeps, row: OrderRow, options: CallOptions | undefined) {
  try {
    const choices = await freshErpChoices(deps, row.connectionId, options);
    const toSend = await readOrderToSend(deps, row.id, choices);
    return 'missing' in toSend
      ? { standing: await notConfigured(deps.db, row.id, toSend) }
      : { toSend };
  } catch (error) {
    if (!isErpFailure(error)) throw error;
    const { retryAfterMs = null } = error;
    return { standing: await postponeSending(deps.db, row.id, retryAfterMs) };
  }
}

function postponeSending(
  db: Database,
  orderId: string,
  retryAfterMs: number | null,
): Promise<OrderStanding> {
  return db.transaction(async (tx) => {
    const row = await holdOrder(tx, orderId);
    if (toStanding(row).stage !== 'TO_SEND' || row.unansweredSince !== null)
      return toStanding(row, retryAfterMs);
    return toStanding(await noteOrder(tx, row, { problem: 'ERP_UNAVAILABLE' }), retryAfterMs);
  });
}

/** Uses one transaction, because `noteOrder` resolves the notification if no order is waiting. */
function notConfigured(
  db: Database,
  orderId: string,
  { missing }: NotSendable,
): Promise<OrderStanding> {
  return db.transaction(async (tx) => {
    const row = await holdOrder(tx, orderId);
    if (toStanding(row).stage !== 'TO_SEND' || row.unansweredSince !== null) return toStanding(row);
    await tellNotConfigured(tx, row, missing);
    return toStanding(await noteOrder(tx, row, { problem: 'NOT_CONFIGURED' }));
  });
}

type Begun = { at: Date; wasOpen: boolean; toSend: OrderToSend; attemptId: number };

/**
 * Marks the call. Removes gifts received in another channel, unless the ERP may have the order
 * (rule CMP-85).
 */
function begin(deps: OrderDeps, toSend: OrderToSend): Promise<Begun | Ended> {
  return deps.db.transaction(async (tx) => {
    await keepIntake(tx);
    const row = await holdOrder(tx, toSend.orderId);
    if (toStanding(row).stage !== 'TO_SEND' || (await isIntakeClosed(tx)))
      return { standing: toStanding(row) };
    const at = row.readAt;
    const open = {
      unansweredSince: at,
      missingSince: null,
      sentAt: row.sentAt ?? at,
      erpOrganizationErpId: toSend.organizationErpId,
    };

    if (row.state === 'ACCEPTED') await moveOrder(deps, tx, row, 'SENT', 'CARTE', open);
    else await noteOrder(tx, row, open);
    if (row.sentAt === null)
      await tellFeeInWords(tx, {
        ...toSend,
        connectionId: row.connectionId,
        organizationId: row.organizationId,
      });

    const wasOpen = row.unansweredSince !== null;
    const gifts = toSend.lines.flatMap(({ compensationId }) => compensationId ?? []);
    const missingIds = wasOpen ? NONE : await leaveOutTakenGifts(tx, row.id, { gifts, at });
    const lines = toSend.lines.filter(
      ({ compensationId }) => compensationId == null || !missingIds.has(compensationId),
    );
    const attemptId = await beginAttempt(tx, row.id, at);

    return { at, wasOpen, toSend: { ...toSend, lines }, attemptId };
  });
}

const NONE: ReadonlySet<string> = new Set();

function record(
  deps: OrderDeps,
  orderId: string,
  attempt: Begun,
  outcome: ErpCreation,
): Promise<OrderStanding> {
  return deps.db.transaction(async (tx) => {
    const row = await holdOrder(tx, orderId);
    await endAttempt(tx, attempt.attemptId, outcome);
    // A late response must not override a newer call.
    const isOpen = attempt.wasOpen || row.unansweredSince?.getTime() !== attempt.at.getTime();
    const next = afterSending(row, outcome, isOpen);
    const { retryAfterMs = null } = next.kind === 'NOTE' ? next : {};

    return toStanding(await writeAnswer(deps, tx, row, next), retryAfterMs);
  });
}
