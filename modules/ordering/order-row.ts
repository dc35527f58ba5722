import type { OrderStanding } from './messages/ordering.ts';
import { outcomeOf } from '../../kernel/pure/search-attributes.ts';
import type { Tables } from '../registry.ts';
import type { OrderProblem } from './rules/order-problems.ts';
import { stageOf } from './rules/order-stage.ts';
import { FINAL_STATES, type OrderState } from './rules/order-states.ts';
import type { Sql, Tx } from '../../platform/db/database.ts';
import { redeemRights, releaseRights } from '../gifts/move-rights.ts';
import { releaseDiscounts } from './discount-uses.ts';
import { endNotConfigured } from './not-configured.ts';

const COLUMNS = [
  'id',
  'number',
  'organizationId',
  'connectionId',
  'state',
  'problem',
  'totalKopecks',
  'erpTimestamp',
  'erpOrderId',
  'erpOrganizationErpId',
  'erpError',
  'sendUntil',
  'dueAt',
  'sentAt',
  'unansweredSince',
  'missingSince',
  'personalDataId',
] as const;

/** An order as its way to the ERP and back needs it. */
export type OrderRow = Awaited<ReturnType<typeof findOrder>>;

/** One order; throws when there is none. */
export async function findOrder({ db }: Sql, orderId: string) {
  return db.selectFrom('customer_order').select(COLUMNS).where('id', '=', orderId).executeTakeFirstOrThrow();
}

/** The same, held until the transaction ends: whoever moves an order holds its row. */
export async function holdOrder({ db }: Tx, orderId: string): Promise<OrderRow> {
  return db
    .selectFrom('customer_order')
    .select(COLUMNS)
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

type Facts = Partial<
  Pick<
    OrderRow,
    | 'erpTimestamp'
    | 'erpOrderId'
    | 'erpOrganizationErpId'
    | 'erpError'
    | 'sendUntil'
    | 'sentAt'
    | 'unansweredSince'
    | 'missingSince'
    | 'problem'
  >
>;
type By = Tables['order_move']['by'];

/** Writes what is known of an order that the caller holds, without a move, and returns it. */
export async function noteOrder(tx: Tx, row: OrderRow, facts: Facts): Promise<OrderRow> {
  const known = row as Readonly<Record<string, unknown>>;
  const isNew = Object.entries(facts).some(([name, value]) => known[name] !== value);
  if (isNew) await tx.db.updateTable('customer_order').set(facts).where('id', '=', row.id).execute();
  const noted = { ...row, ...facts };
  if (isNamedNow(row, noted.problem)) await endNotConfigured(tx, row.connectionId);
  return noted;
}

/**
 * Moves an order that the caller holds into another state, with the line of its history, in the caller's transaction (rule ORD-31).
 * What held it up is over unless `facts` name a problem; an order that came to nothing gives back what its discounts used, and its gifts
 * when the ERP never had it.
 */
export async function moveOrder(
  tx: Tx,
  row: OrderRow,
  state: OrderState,
  by: By,
  facts: Facts = {},
): Promise<OrderRow> {
  const problem: OrderProblem | null = facts.problem ?? null;
  const change = { ...facts, problem, state, ...(FINAL_STATES.has(state) ? { endedAt: new Date() } : {}) };
  await tx.db.updateTable('customer_order').set(change).where('id', '=', row.id).execute();
  if (state !== row.state)
    await tx.db.insertInto('order_move').values({ orderId: row.id, state, by, problem }).execute();
  if (state === 'CANCELLED' || state === 'FAILED') await releaseDiscounts(tx, row.id);
  await settleGifts(tx, row, { state, by, problem });
  if (isNamedNow(row, problem)) await endNotConfigured(tx, row.connectionId);
  return { ...row, ...facts, problem, state };
}

/** True when an order waited for what the ERP must be told, and does not any more. */
const isNamedNow = (before: OrderRow, now: OrderProblem | null): boolean =>
  before.problem === 'NOT_CONFIGURED' && now !== 'NOT_CONFIGURED';

/**
 * Redeems the gifts of an order as soon as the ERP has created it, whatever becomes of it there, and gives them back when the ERP certainly
 * never had it (rule CMP-62). Until one of both is known they stay reserved, also past the end of an order that was let go: people settle
 * those (`settleOrderGifts`).
 */
async function settleGifts(tx: Tx, row: OrderRow, to: Pick<OrderRow, 'state' | 'problem'> & { by: By }): Promise<void> {
  const { state, problem, by } = to;
  if (!BEFORE_CREATION.has(row.state) || BEFORE_CREATION.has(state) || problem === 'NEVER_ENDED') return;
  const isCreated = state !== 'FAILED' && (state !== 'CANCELLED' || by === 'ERP');
  if (isCreated) await redeemRights(tx, row.id);
  else await releaseRights(tx, row.id, state);
}

/** Redeems the gifts of an order that the caller holds and that the ERP has created, though nothing else of it has changed. */
export async function redeemGiftsOf(tx: Tx, row: OrderRow): Promise<void> {
  if (BEFORE_CREATION.has(row.state)) await redeemRights(tx, row.id);
}

const BEFORE_CREATION: ReadonlySet<OrderState> = new Set(['ACCEPTED', 'SENT']);

/** What the workflow of an order is told of it. However long the ERP asks to wait, nobody waits past the time to send. */
export function standingOf(row: OrderRow, retryAfterMs: number | null = null): OrderStanding {
  const { state, problem } = row;
  const now = Date.now();
  const stage = stageOf(row, now);
  const leftMs = stage === 'TO_SEND' ? row.sendUntil.getTime() - now : Infinity;
  return {
    stage,
    state,
    problem,
    retryAfterMs: retryAfterMs === null ? null : Math.min(retryAfterMs, leftMs),
    outcome: stage === 'ENDED' ? outcomeOf(state, problem) : null,
  };
}
