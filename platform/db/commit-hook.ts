import type { EventName } from '../../kernel/pure/events.ts';
import type { Sql } from './database.ts';

/** Events appended by transactions that have not committed yet. */
const appending = new WeakMap<Sql, Set<EventName>>();

/** Remembers that `tx` has appended an event of this kind. */
export function noteAppended(tx: Sql, event: EventName): void {
  appending.set(tx, (appending.get(tx) ?? new Set()).add(event));
}

/** Returns the kinds of events that `tx` has appended. They are delivered after its commit. */
export function appendedBy(tx: Sql): ReadonlySet<EventName> {
  return appending.get(tx) ?? new Set();
}
