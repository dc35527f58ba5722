import { sql } from 'kysely';
import { URGENT_EVENTS } from '../pure/events.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';

/** `attempts` includes the present attempt. */
export type ClaimedRow = {
  id: number;
  event: string;
  payload: unknown;
  attempts: number;
  requestId: string | null;
  traceparent: string | null;
};

export type Lane = { isUrgent: boolean; isFirstAttempt: boolean; slots: number; limitMs: number };

/** The lease exceeds the lane's limit by this time. Then another process delivers the row. */
const LEASE_RESERVE_MS = 5_000;
/** The attempts take about two hours. */
const ATTEMPTS = 20;
/** Outages of Temporal or the database count as at most this many attempts. */
const ATTEMPTS_OF_OUTAGE = 4;
const LONGEST_DELAY_S = 600;

/**
 * Leases due rows in one statement, longest due first. Events of a newer version stay until a
 * process of that version leases them.
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
    .where('event', 'in', selectEvents(lane, events))
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

const inSeconds = (seconds: number) =>
  sql<Date>`now() + ${seconds}::double precision * interval '1 second'`;

export function selectEvents({ isUrgent }: Lane, events: readonly string[]): string[] {
  const urgent: readonly string[] = URGENT_EVENTS;
  return events.filter((event) => urgent.includes(event) === isUrgent);
}

/** Applies even if the lease has expired. */
export async function markDelivered({ db }: Sql, ids: readonly number[]): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ deliveredAt: sql<Date>`now()`, lastError: null })
    .where('id', '=', anyOf(ids))
    .where('deliveredAt', 'is', null)
    .execute();
}

/**
 * Delays the next attempt, twice as long each time and up to ten minutes. Returns true if the row
 * is parked after 20 attempts. If the lease has expired, the row belongs to another process and
 * stays unchanged.
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
