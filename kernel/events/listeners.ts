import type { CarteEvents, EventName } from '../pure/events.ts';

/**
 * The event handlers of one capability. A listener bears repetition: an event is delivered at least
 * once, in no order.
 */
export type Listeners<Deps> = {
  readonly [E in EventName]?: (payload: CarteEvents[E], deps: Deps) => Promise<unknown>;
};

/** One function per event that runs every listener of it. */
export type Delivering<Deps> = ReadonlyMap<string, (payload: unknown, deps: Deps) => Promise<void>>;

/**
 * Combines the listeners of capabilities. The listeners of one event run concurrently and do not
 * block each other; if one fails the event has failed, and all of them run again.
 */
export function combineListeners<Deps>(tables: readonly Listeners<Deps>[]): Delivering<Deps> {
  type Listen = (payload: unknown, deps: Deps) => Promise<unknown>;
  const entries = tables.flatMap((table) => Object.entries(table) as [string, Listen][]);
  return new Map(
    [...Map.groupBy(entries, ([event]) => event)].map(([event, listeners]) => [
      event,
      async (payload, deps) => {
        const results = await Promise.allSettled(listeners.map(async ([, listen]) => listen(payload, deps)));
        const failed = results.find((result) => result.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
      },
    ]),
  );
}
