import type { CarteEvents, EventName } from './pure/events.ts';
import { logContext } from '../platform/log-context.ts';
import { traceparent } from '../platform/tracing.ts';
import { noteAppended, json, type Sql, type Statements } from '../platform/db/database.ts';

/** Appends events of one kind with one statement in the caller's transaction. */
export async function appendOutboxRows<E extends EventName>(
  tx: Sql,
  event: E,
  payloads: readonly CarteEvents[E][],
): Promise<void> {
  if (payloads.length === 0) return;
  await outboxRows(tx, event, payloads)(tx.db).execute();
}

/** Returns the insert as a part of another statement of this transaction. */
export function outboxRows<E extends EventName>(
  tx: Sql,
  event: E,
  payloads: readonly CarteEvents[E][],
) {
  const requestId = logContext().requestId ?? null;
  const trace = traceparent() ?? null;
  noteAppended(tx, event);

  return (db: Statements) =>
    db.insertInto('outbox').values(
      payloads.map((payload) => ({
        event,
        payload: json(payload),
        requestId,
        traceparent: trace,
      })),
    );
}

/** Appends an event in the caller's transaction. It is delivered at least once after the commit. */
export function appendOutbox<E extends EventName>(
  tx: Sql,
  event: E,
  payload: CarteEvents[E],
): Promise<void> {
  return appendOutboxRows(tx, event, [payload]);
}
