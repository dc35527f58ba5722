import type { CarteEvents, EventName } from '../contracts/events.ts';
import type { Sql } from './database.ts';

export type OutboxRow = {
  [E in EventName]: { id: number; event: E; payload: CarteEvents[E]; attempts: number };
}[EventName];

/** Appends many events of one kind in the caller's transaction, with one statement. */
export async function appendOutboxRows<E extends EventName>(
  tx: Sql,
  event: E,
  payloads: readonly CarteEvents[E][],
): Promise<void> {
  if (payloads.length === 0) return;
  await tx.query('insert into outbox (event, payload) select $1, payload from unnest($2::jsonb[]) payload', [
    event,
    payloads.map((payload) => JSON.stringify(payload)),
  ]);
}

/** Appends one event in the caller's transaction and returns its id. It is delivered at least once after the commit. */
export async function appendOutbox<E extends EventName>(tx: Sql, event: E, payload: CarteEvents[E]): Promise<number> {
  const rows = await tx.query<{ id: number }>('insert into outbox (event, payload) values ($1, $2) returning id', [
    event,
    JSON.stringify(payload),
  ]);
  return rows[0]!.id;
}
