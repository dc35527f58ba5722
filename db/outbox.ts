import type { CarteEvents, EventName } from '../contracts/events.ts';
import { logContext } from '../platform/log-context.ts';
import { json, type Sql } from './database.ts';

/** Transactions that have appended an event and are not committed yet. */
const appending = new WeakSet<Sql>();

/** Whether this transaction has appended an event, so that a delivery is due after its commit. */
export function hasAppended(tx: Sql): boolean {
  return appending.has(tx);
}

/** Appends many events of one kind in the caller's transaction, with one statement. */
export async function appendOutboxRows<E extends EventName>(
  tx: Sql,
  event: E,
  payloads: readonly CarteEvents[E][],
): Promise<void> {
  if (payloads.length === 0) return;
  const requestId = logContext().requestId ?? null;
  await tx.db
    .insertInto('outbox')
    .values(payloads.map((payload) => ({ event, payload: json(payload), requestId })))
    .execute();
  appending.add(tx);
}

/** Appends one event in the caller's transaction. It is delivered at least once after the commit, by this process if it can. */
export function appendOutbox<E extends EventName>(tx: Sql, event: E, payload: CarteEvents[E]): Promise<void> {
  return appendOutboxRows(tx, event, [payload]);
}
