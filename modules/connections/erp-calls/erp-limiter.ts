import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { PRIORITY_SHARES, type Limiter, type Priority } from '../../../erp/ports.ts';
import type { Database } from '../../../platform/db/database.ts';

/** All connections share one budget, because the ERP treats them as one client (rule ERP-8). */
const KEY = 'erp:all';
const WINDOW_MS = sql.lit(1_000);
/**
 * Shares are reserved in the first half of each second. In the second half, every priority may use
 * the rest.
 */
const HALF_MS = sql.lit(500);
const NOW_MS = sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`;
/**
 * True if the window has ended, or if its end is impossible because the clock was set back. The
 * limit is two windows, because a statement that waited for the row has an older clock.
 */
const IS_OVER = sql`(rate.expire <= ${NOW_MS} or rate.expire > ${NOW_MS} + 2 * ${WINDOW_MS})`;
/** Random delay, because windows end for all processes at once. */
const SPREAD_MS = 50;

/**
 * Limits requests of all processes to `perSecond`; null means no limit. Within a process and
 * priority, `acquire` keeps the order of calls. It rejects only if its signal is aborted or the
 * database fails.
 */
export function createErpLimiter(options: { db: Database; perSecond: number | null }): Limiter {
  const { db, perSecond } = options;
  if (perSecond === null) return { acquire: async ({ signal } = {}) => signal?.throwIfAborted() };
  const createLine = (share: number): Wait => {
    const atOnce = Math.max(1, Math.floor(perSecond * share));
    return line((signal) => waitForPoint(atOnce, signal));
  };

  async function waitForPoint(atOnce: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const { isTaken, leftMs } = await takePoint(db, { atOnce, perSecond: perSecond! });
      if (isTaken) return;
      await delay(
        leftMs + Math.random() * SPREAD_MS,
        undefined,
        signal === undefined ? {} : { signal },
      );
    }
  }

  const lines = Object.fromEntries(
    Object.entries(PRIORITY_SHARES).map(([priority, share]) => [priority, createLine(share)]),
  ) as Record<Priority, Wait>;

  return { acquire: ({ signal, priority = 'REST' } = {}) => lines[priority](signal) };
}

type Wait = (signal: AbortSignal | undefined) => Promise<void>;

function line(wait: Wait): Wait {
  let turn: Promise<void> = Promise.resolve();
  return (signal) => {
    const mine = turn.then(() => wait(signal));
    // The next caller continues even after a failure, which only this caller receives.
    turn = mine.catch(() => undefined);
    return untilAborted(mine, signal);
  };
}

/**
 * Counts a request in the current one-second window, or begins the next window. In the first half,
 * only `atOnce` of `perSecond` are available. Uses PostgreSQL's clock: with other clocks, hosts
 * would begin windows permanently or wait for them (rule ERP-8). `leftMs` is the time until more
 * requests may be available.
 */
async function takePoint(
  { db }: Database,
  { atOnce, perSecond }: { atOnce: number; perSecond: number },
): Promise<{ isTaken: boolean; leftMs: number }> {
  const { rows } = await sql<{ isTaken: boolean; leftMs: number }>`
    with taken as (
      insert into erp_rate_limit as rate (key, points, expire) values (${KEY}, 1, ${NOW_MS} + ${WINDOW_MS})
      on conflict (key) do update set
        points = case when ${IS_OVER} then 1 else rate.points + 1 end,
        expire = case when ${IS_OVER} then ${NOW_MS} + ${WINDOW_MS} else rate.expire end
      where ${IS_OVER}
         or rate.points < ${perSecond}::integer - ${perSecond - atOnce}::integer * (rate.expire - ${NOW_MS} > ${HALF_MS})::integer
      returning true)
    select exists (select from taken) as "isTaken",
           coalesce((select greatest(expire - ${NOW_MS} - case when points < ${perSecond}::integer then ${HALF_MS} else 0 end, 0)
                       from erp_rate_limit where key = ${KEY}), 0)::integer as "leftMs"`.execute(
    db,
  );

  return rows[0]!;
}

/** Returns the result of `work`, or throws the reason of the aborted signal. `work` continues. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });

  return Promise.race([aborted, work]).finally(() => signal.removeEventListener('abort', abort));
}
