import { sql } from 'kysely';
import { URGENT_EVENTS } from '../pure/events.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';

/**
 * A row of the outbox in the hands of this process until its lease ends. `attempts` counts this
 * try.
 */
export type ClaimedRow = {
  id: number;
  event: string;
  payload: unknown;
  attempts: number;
  requestId: string | null;
  traceparent: string | null;
};

/** The rows that a lane takes, their number at once, and the time limit of one. */
export type Lane = { isUrgent: boolean; isFirstAttempt: boolean; slots: number; limitMs: number };

/** A process that dies is followed by another one this long after the limit of the lane. */
const LEASE_RESERVE_MS = 5_000;
/** After about two hours an event is no longer retried automatically. */
const ATTEMPTS = 20;
/**
 * An outage of Temporal or of the database is not a fault of an event: it counts as at most these
 * attempts.
 */
const ATTEMPTS_OF_OUTAGE = 4;
const LONGEST_DELAY_S = 600;

/**
 * Takes rows that are due, those due longest first, and leases them, so that other processes skip
 * them. One statement: nothing is locked afterwards. Only event types of this version: those of a
 * newer version wait for it.
 */
export async function claimRows(
  { db }: Sql,
  lane: Lane,
  events: readonly string[],
  limit: number,
): Promise<ClaimedRow[]> {
  const due = db
    .selectFrom('outbox')
    .select('id')
    .where('deliveredAt', 'is', null)
    .where('parkedAt', 'is', null)
    .where('nextAttemptAt', '<=', sql<Date>`now()`)
    .where('event', 'in', eventsOf(lane, events))
    .where('attempts', lane.isFirstAttempt ? '=' : '>', 0)
    .orderBy('nextAttemptAt')
    .orderBy('id')
    .limit(limit)
    .modifyEnd(sql`for update skip locked`);
  return db
    .updateTable('outbox')
    .set((row) => ({
      attempts: row('attempts', '+', 1),
      nextAttemptAt: inSeconds((lane.limitMs + LEASE_RESERVE_MS) / 1000),
    }))
    .where('id', '=', sql<number>`any (array(${due}))`)
    .returning(['id', 'event', 'payload', 'attempts', 'requestId', 'traceparent'])
    .execute();
}

const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds}::double precision * interval '1 second'`;

/** The events of a lane among these. */
export function eventsOf({ isUrgent }: Lane, events: readonly string[]): string[] {
  const urgent: readonly string[] = URGENT_EVENTS;
  return events.filter((event) => urgent.includes(event) === isUrgent);
}

/** Marks rows as delivered, independent of their lease. */
export async function markDelivered({ db }: Sql, ids: readonly number[]): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ deliveredAt: sql<Date>`now()`, lastError: null })
    .where('id', '=', anyOf(ids))
    .where('deliveredAt', 'is', null)
    .execute();
}

/**
 * Records a failure: the row is tried again after a delay that doubles each time, up to ten
 * minutes, and is parked after twenty attempts. A row with an expired lease belongs to another
 * process and is not changed. Returns true if the row is parked now.
 */
export async function markFailed(
  { db }: Sql,
  { id, attempts }: ClaimedRow,
  failure: { message: string; isOutage: boolean },
): Promise<boolean> {
  const counted = failure.isOutage ? Math.min(attempts, ATTEMPTS_OF_OUTAGE) : attempts;
  const isParked = counted >= ATTEMPTS;
  const updated = await db
    .updateTable('outbox')
    .set({
      attempts: counted,
      lastError: failure.message.slice(0, 300),
      nextAttemptAt: inSeconds(Math.min(2 ** (counted - 1), LONGEST_DELAY_S)),
      ...(isParked ? { parkedAt: sql<Date>`now()` } : {}),
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('deliveredAt', 'is', null)
    .returning('id')
    .execute();
  return isParked && updated.length > 0;
}
