import { isDeepStrictEqual } from 'node:util';
import { selectAuthor } from '../../access/authors.ts';
import type { OrderDecision, StaffOrder } from '../schemas/orders.ts';
import { Problem } from '../../../kernel/problem.ts';
import { addressInWords } from '../rules/erp-address.ts';
import { allFindings, judgeOrder } from '../rules/gate.ts';
import { FINAL_STATES } from '../rules/order-states.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { erasePersonal, readPersonal } from '../../access/customers/personal-data.ts';
import { keepReason, readReasons } from '../../access/customers/staff-reasons.ts';
import { redeemRights, releaseRights } from '../../gifts/rights/move-rights.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import type { OrderPersonal } from '../orders/order-personal.ts';
import { withOrganizations } from './order-organizations.ts';
import { eraseOrderReasons } from './erase-order-reasons.ts';
import { holdOrder, type MoveDeps } from '../orders/order-row.ts';
import { getOrder, NO_ORDER, readChannel, requireMadeHere } from '../orders/order-view.ts';
import { eraseErpOrder, erpOrderErasedAt } from '../at-erp/erase-erp-order.ts';
import { withdrawHeld } from '../orders/withdraw-order.ts';

type Deps = { db: Database; secrets: SecretBox };

/** `mayManage` includes the guest. Problem `not-found`. */
export async function getStaffOrder(
  deps: Deps,
  orderId: string,
  mayManage: boolean,
): Promise<StaffOrder> {
  const [whole] = await withOrganizations(deps.db, [await getOrder(deps.db, orderId)]);
  const rightIds = await rightsOfGifts(deps.db, orderId);
  const gifts = whole!.gifts.map((gift, at) => ({ ...gift, compensationId: rightIds[at] ?? null }));
  const order = { ...whole!, gifts };
  const row = await deps.db.db
    .selectFrom('customer_order')
    .select([
      'customerId',
      'sendUntil',
      'timeZone',
      'erpOrderId',
      'erpError',
      'erasedAt',
      'personalDataId',
    ])
    .where('id', '=', orderId)
    .executeTakeFirst();

  if (row === undefined)
    return {
      ...order,
      customerId: null,
      sendUntil: null,
      erpOrderId: orderId,
      erpError: null,
      erasedAt: await erpOrderErasedAt(deps.db, orderId),
      sentAgain: [],
      person: null,
    };

  const ids = mayManage && row.personalDataId !== null ? [row.personalDataId] : [];
  const [personal] = (await readPersonal<OrderPersonal>(deps.db, deps, ids)).values();
  const moment = (at: Date) => momentText(at.getTime(), row.timeZone);

  return {
    ...order,
    customerId: row.customerId,
    sendUntil: moment(row.sendUntil),
    erpOrderId: row.erpOrderId,
    erpError: row.erpError,
    erasedAt: row.erasedAt === null ? null : moment(row.erasedAt),
    sentAgain: await readSentAgain(deps, orderId, { mayManage, timeZone: row.timeZone }),
    person: personal === undefined ? null : personView(personal),
  };
}

async function readSentAgain(
  { db, secrets }: Deps,
  orderId: string,
  { mayManage, timeZone }: { mayManage: boolean; timeZone: string },
): Promise<StaffOrder['sentAgain']> {
  const entries = await db.db
    .selectFrom('audit_entry')
    .select(['at', 'reasonId', selectAuthor('audit_entry.actorId').as('by')])
    .where('entityType', '=', 'order')
    .where('entityId', '=', orderId)
    .where('action', '=', 'send-again')
    .orderBy('id')
    .execute();

  const ids = mayManage ? entries.map(({ reasonId }) => reasonId) : [];
  const words = await readReasons(db, { secrets }, ids);

  return entries.map(({ at, by, reasonId }) => ({
    at: momentText(at.getTime(), timeZone),
    by,
    reason: words.get(reasonId ?? '') ?? null,
  }));
}

/** Sorted like the lines. */
async function rightsOfGifts({ db }: Sql, orderId: string): Promise<(string | null)[]> {
  const lines = await db
    .selectFrom('order_line')
    .select('compensationId')
    .where('orderId', '=', orderId)
    .where('kind', '=', 'COMPENSATION')
    .orderBy('position')
    .execute();

  return lines.map(({ compensationId }) => compensationId);
}

function personView({
  customer,
  address,
  comment,
  cancelReason = '',
}: OrderPersonal): StaffOrder['person'] {
  return {
    ...customer,
    phoneExtension: customer.phoneExtension ?? null,
    address: address === null ? null : addressInWords(address),
    comment,
    cancelReason: cancelReason || null,
  };
}

/**
 * Evaluates a decision's facts with the current rules (rule ORD-43). Problem `not-found`, also
 * after the retention period (rule ORD-104).
 */
export async function getDecision({ db }: Sql, orderId: string): Promise<OrderDecision> {
  const row = await db
    .selectFrom('customer_order')
    .leftJoin('order_decision as decided', 'decided.orderId', 'customer_order.id')
    .select([
      'decided.decision',
      'customer_order.decision as formerDecision',
      'customer_order.acceptedAt',
      'customer_order.timeZone',
    ])
    .where('customer_order.id', '=', orderId)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NO_ORDER }));

  const decision = row.decision ?? row.formerDecision;
  if (decision === null)
    throw new Problem('not-found', { detail: 'Decisions about orders are deleted after 90 days.' });
  const { facts, findings } = decision;
  const rules = judgeOrder(facts);
  // Undefined values are removed, because stored JSON has none.
  const now = JSON.parse(JSON.stringify(allFindings(rules))) as unknown;

  return {
    orderId,
    decidedAt: momentText(row.acceptedAt.getTime(), row.timeZone),
    rules: rules.map(({ findings: ruleFindings, ...rule }) => ({
      ...rule,
      findings: ruleFindings.map(({ code: _code, kind: _kind, ...judgment }) => judgment),
    })),
    decided: [...findings],
    sameToday: isDeepStrictEqual(now, findings),
  };
}

const validateReason = (reason: string): string =>
  requiredTexts({ reason }, { reason: 500 }, 'words').reason;

/** Withdraws an order before it is sent. Problems: not-found, order-not-cancellable, validation. */
export async function cancelStaffOrder(
  deps: Deps & MoveDeps,
  actor: Actor,
  orderId: string,
  reasonText: string,
): Promise<StaffOrder> {
  const reason = validateReason(reasonText);
  await deps.db.transaction((tx) => cancelByStaff(deps, tx, actor, { orderId, reason }));
  return getStaffOrder(deps, orderId, true);
}

/** Requires a valid reason. */
export async function cancelByStaff(
  deps: Pick<Deps, 'secrets'> & MoveDeps,
  tx: Tx,
  actor: Actor,
  { orderId, reason }: { orderId: string; reason: string },
): Promise<void> {
  await requireMadeHere(tx, orderId, 'order-not-cancellable');
  const row = await holdOrder(tx, orderId);
  if ((await withdrawHeld(deps, tx, row, { by: 'STAFF' })) === null)
    throw new Problem('order-not-cancellable', { extra: { orderStatus: row.state } });
  await recordAudit(tx, actor, {
    entityType: 'order',
    entityId: orderId,
    action: 'cancel',
    before: { state: row.state },
    after: { state: 'CANCELLED' },
    reasonId: await keepReason(tx, deps, reason),
  });
}

/**
 * Erases the guest and staff texts of an ended order (rules ORD-44, CMP-109). Idempotent. Problems:
 * not-found, invalid-transition, validation.
 */
export async function eraseStaffOrder(
  deps: Deps,
  actor: Actor,
  orderId: string,
  reasonText: string,
): Promise<StaffOrder> {
  const reason = validateReason(reasonText);
  await deps.db.transaction(async (tx) => {
    const { channel, state: channelState } = await readChannel(tx, orderId);
    // Locked, because staff may be sending the order again.
    const state = channel === 'ERP' ? channelState : (await holdOrder(tx, orderId)).state;
    if (!FINAL_STATES.has(state))
      throw new Problem('invalid-transition', {
        detail:
          'The order is active, and the restaurant needs the name of the guest. Erase it after it has ended.',
        extra: { orderStatus: state },
      });

    const isErased = await (channel === 'ERP' ? eraseErpOrder : eraseOwnOrder)(tx, orderId);
    if (!isErased) return;
    await eraseOrderReasons(tx, orderId);
    const reasonId = await keepReason(tx, deps, reason);
    await recordAudit(tx, actor, {
      entityType: 'order',
      entityId: orderId,
      action: 'erase',
      reasonId,
    });
  });

  return getStaffOrder(deps, orderId, true);
}

/** Returns false if the guest was already erased. */
async function eraseOwnOrder(tx: Tx, orderId: string): Promise<boolean> {
  const erased = await tx.db
    .updateTable('customer_order')
    .set({ erasedAt: new Date() })
    .where('id', '=', orderId)
    .where('erasedAt', 'is', null)
    .returning('personalDataId')
    .executeTakeFirst();
  if (erased === undefined) return false;

  if (erased.personalDataId !== null) await erasePersonal(tx, [erased.personalDataId]);

  return true;
}

/**
 * Redeems or returns gifts after an unknown result, which staff have checked in the ERP (rule
 * CMP-62). Problems: not-found, invalid-transition, validation.
 */
export async function settleOrderGifts(
  deps: Deps,
  actor: Actor,
  orderId: string,
  {
    isCreated,
    reason: reasonText,
    mayManage,
  }: { isCreated: boolean; reason: string; mayManage: boolean },
): Promise<StaffOrder> {
  const reason = validateReason(reasonText);
  await deps.db.transaction(async (tx) => {
    await requireMadeHere(tx, orderId, 'invalid-transition');
    const { state } = await holdOrder(tx, orderId);
    if (!FINAL_STATES.has(state))
      throw new Problem('invalid-transition', {
        detail: 'The order is active, and resolves its gifts itself.',
        extra: { orderStatus: state },
      });

    const settling = { actor, reasonId: await keepReason(tx, deps, reason) };
    const settled = isCreated
      ? await redeemRights(tx, orderId, settling)
      : await releaseRights(tx, orderId, undefined, settling);
    if (settled.length === 0)
      throw new Problem('invalid-transition', {
        detail: 'The order has no unresolved gifts.',
        extra: { orderStatus: state },
      });
  });

  return getStaffOrder(deps, orderId, mayManage);
}
