import { sql } from 'kysely';
import type { OrderStanding } from './messages/ordering.ts';
import { outcomeOf } from '../../kernel/pure/search-attributes.ts';
import type { OrderProblem } from './rules/order-problems.ts';
import { stageOf } from './rules/order-stage.ts';
import { FINAL_STATES, stepBetween, type MovedBy, type OrderState } from './rules/order-states.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Sql, Tx, Database } from '../../platform/db/database.ts';
import { redeemOrReturnGifts } from '../gifts/move-rights.ts';
import { returnGifts } from '../gifts/return-gifts.ts';
import { releaseDiscounts } from './discount-uses.ts';
import { endNotConfigured } from './not-configured.ts';
import type { ErpClient } from '../../erp/client.ts';
import type { Failpoint } from '../../platform/failpoint.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { ErpStreets } from '../delivery/addresses/erp-streets.ts';

/** What the use cases on the way of an order to the ERP need. */
export type OrderDeps = {
  db: Database;
  erp: ErpClient;
  secrets: SecretBox;
  erpStreets: ErpStreets;
  failpoint: Failpoint;
} & MoveDeps;

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
  'erpNumber',
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

/** Time of the read by the database clock, which decides all deadlines (rule ORD-108). */
const readAt = sql<Date>`clock_timestamp()`.as('readAt');

/** One order; throws when there is none. */
export async function findOrder({ db }: Sql, orderId: string) {
  return db
    .selectFrom('customer_order')
    .select(COLUMNS)
    .select(readAt)
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}

/** The same, held until the transaction ends: whoever moves an order holds its row. */
export async function holdOrder({ db }: Tx, orderId: string): Promise<OrderRow> {
  return db
    .selectFrom('customer_order')
    .select(COLUMNS)
    .select(readAt)
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

type Facts = Partial<
  Pick<
    OrderRow,
    | 'erpTimestamp'
    | 'erpOrderId'
    | 'erpNumber'
    | 'erpOrganizationErpId'
    | 'erpError'
    | 'sendUntil'
    | 'sentAt'
    | 'unansweredSince'
    | 'missingSince'
    | 'problem'
  >
>;

/** Needed by everything that moves orders. */
export type MoveDeps = { metrics: Pick<Metrics, 'orderMovesRefused'> };

/** A defect of ours: somebody wanted to write a state that the table of steps does not allow. */
class IllegalOrderMove extends Error {
  constructor(orderId: string, from: OrderState, to: OrderState, by: MovedBy) {
    super(`Order ${orderId} cannot go from ${from} to ${to} by ${by}`);
    this.name = 'IllegalOrderMove';
  }
}

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
 * when the ERP never had it. Throws IllegalOrderMove, and counts it, if no step of `ORDER_STEPS` leads there.
 */
export async function moveOrder(
  { metrics }: MoveDeps,
  tx: Tx,
  row: OrderRow,
  state: OrderState,
  by: MovedBy,
  facts: Facts = {},
): Promise<OrderRow> {
  if (stepBetween(row.state, state, by) === null) {
    metrics.orderMovesRefused.inc({ from: row.state, to: state, by });
    throw new IllegalOrderMove(row.id, row.state, state, by);
  }
  const problem: OrderProblem | null = facts.problem ?? null;
  const change = { ...facts, problem, state, ...(FINAL_STATES.has(state) ? { endedAt: row.readAt } : {}) };
  await tx.db.updateTable('customer_order').set(change).where('id', '=', row.id).execute();
  if (state !== row.state)
    await tx.db.insertInto('order_move').values({ orderId: row.id, state, by, problem }).execute();
  if (state === 'CANCELLED' || state === 'FAILED') await releaseDiscounts(tx, row.id);
  await redeemOrReturnGifts(tx, row.id, { from: row.state, to: state, by, problem });
  if (state === 'CANCELLED') await returnGifts(tx, returningOf(row));
  if (isNamedNow(row, problem)) await endNotConfigured(tx, row.connectionId);
  return { ...row, ...facts, problem, state };
}

/** Names an order whose redeemed gifts are returned or taken back. */
export const returningOf = ({ id, erpOrderId }: Pick<OrderRow, 'id' | 'erpOrderId'>) => ({
  orderId: id,
  orderIds: erpOrderId === null ? [id] : [id, erpOrderId],
});

/** True when an order waited for what the ERP must be told, and does not any more. */
const isNamedNow = (before: OrderRow, now: OrderProblem | null): boolean =>
  before.problem === 'NOT_CONFIGURED' && now !== 'NOT_CONFIGURED';

/** True if the ERP has the order, or was requested to create it and has not refused. */
export const mayBeAtErp = ({ erpOrderId, unansweredSince }: OrderRow): boolean =>
  erpOrderId !== null || unansweredSince !== null;

/**
 * The state of an order for its workflow. An order that the ERP does not have never waits beyond
 * its sending deadline, even if the ERP requests a longer pause (rule ORD-59).
 */
export function standingOf(row: OrderRow, retryAfterMs: number | null = null): OrderStanding {
  const { state, problem } = row;
  const now = row.readAt.getTime();
  const stage = stageOf(row, now);
  const ends = stage === 'TO_SEND' || !mayBeAtErp(row);
  const leftMs = ends ? Math.max(0, row.sendUntil.getTime() - now) : Infinity;
  return {
    stage,
    state,
    problem,
    retryAfterMs: retryAfterMs === null ? null : Math.min(retryAfterMs, leftMs),
    outcome: stage === 'ENDED' ? outcomeOf(state, problem) : null,
  };
}
