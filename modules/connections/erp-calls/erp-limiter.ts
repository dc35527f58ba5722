import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { PRIORITY_SHARES, type Limiter, type Priority } from '../../../erp/ports.ts';
import type { Database } from '../../../platform/db/database.ts';

/** One budget for all connections: the ERP sees one client (rule ERP-8). */
const KEY = 'erp:all';
const WINDOW_MS = sql.lit(1_000);
/**
 * Shares are reserved in the first half of each second; the rest is then free for every priority.
 */
const HALF_MS = sql.lit(500);
const NOW_MS = sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`;
/**
 * The window of the row is over, or ends later than any window can: the clock was set back, and
 * callers must not wait for it. A statement that has waited for the row sees it with a clock that
 * is a little older, hence twice.
 */
const IS_OVER = sql`(rate.expire <= ${NOW_MS} or rate.expire > ${NOW_MS} + 2 * ${WINDOW_MS})`;
/**
 * Windows end for all processes at once; spreading the next attempts avoids collisions of
 * processes.
 */
const SPREAD_MS = 50;

/**
 * The limiter over every process on one database: at most `perSecond` requests in each second,
 * counted in a row. `acquire` waits, in the order of the calls of this process with the same
 * priority, and rejects only with the reason of its signal or when the database fails. `null` means
 * no limit.
 */
export function createErpLimiter(options: { db: Database; perSecond: number | null }): Limiter {
  const { db, perSecond } = options;
  if (perSecond === null) return { acquire: async ({ signal } = {}) => signal?.throwIfAborted() };
  const lineOf = (share: number): Wait => {
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
    Object.entries(PRIORITY_SHARES).map(([priority, share]) => [priority, lineOf(share)]),
  ) as Record<Priority, Wait>;
  return { acquire: ({ signal, priority = 'REST' } = {}) => lines[priority](signal) };
}

type Wait = (signal: AbortSignal | undefined) => Promise<void>;

/** Queues callers. */
function line(wait: Wait): Wait {
  let turn: Promise<void> = Promise.resolve();
  return (signal) => {
    const mine = turn.then(() => wait(signal));
    // The next one follows in any case; the caller of this one is informed below.
    turn = mine.catch(() => undefined);
    return untilAborted(mine, signal);
  };
}

/**
 * Counts one request in the window of this second, or begins the next one. In the first half of a
 * window there are `atOnce` of its `perSecond` for this one. PostgreSQL's clock decides: a host
 * whose own clock is ahead would begin windows permanently, and one behind would wait for them
 * (rule ERP-8). `leftMs` is the time until there may be more.
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

/**
 * Returns the result of `work`, or the signal's reason as soon as it is aborted; `work` itself
 * continues.
 */
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
