import type { CarteEvents, EventName } from '../pure/events.ts';

/** Must be idempotent: events are delivered at least once, in any order. */
export type Listeners<Deps> = {
  readonly [E in EventName]?: (payload: CarteEvents[E], deps: Deps) => Promise<unknown>;
};

export type Delivering<Deps> = ReadonlyMap<string, (payload: unknown, deps: Deps) => Promise<void>>;

/** Listeners of one event run concurrently. If one fails, all run again. */
export function combineListeners<Deps>(tables: readonly Listeners<Deps>[]): Delivering<Deps> {
  type Listen = (payload: unknown, deps: Deps) => Promise<unknown>;
  const entries = tables.flatMap((table) => Object.entries(table) as [string, Listen][]);

  return new Map(
    [...Map.groupBy(entries, ([event]) => event)].map(([event, listeners]) => [
      event,
      async (payload, deps) => {
        const results = await Promise.allSettled(
          listeners.map(async ([, listen]) => listen(payload, deps)),
        );
        const failed = results.find((result) => result.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
      },
    ]),
  );
}
