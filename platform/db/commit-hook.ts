import type { EventName } from '../../kernel/pure/events.ts';

/** Events appended by transactions that have not committed yet. */
const appending = new WeakMap<object, Set<EventName>>();

/** Remembers that `tx` has appended an event of this kind. */
export function noteAppended(tx: object, event: EventName): void {
  appending.set(tx, (appending.get(tx) ?? new Set()).add(event));
}

/** Returns the kinds of events that `tx` has appended. They are delivered after its commit. */
export function appendedBy(tx: object): ReadonlySet<EventName> {
  return appending.get(tx) ?? new Set();
}
