import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Limiter } from '../../erp/ports.ts';
import type { Database } from '../database.ts';
import { untilAborted } from './until-aborted.ts';

/** One budget for all connections: the ERP sees one client (rule ERP-8). */
const KEY = 'erp:all';
const WINDOW_MS = sql.lit(1_000);
const NOW_MS = sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`;
/** Windows end for everybody at once; spreading the next try keeps processes from colliding at that moment. */
const SPREAD_MS = 50;

/**
 * The limiter over every process on one database: at most `perSecond` requests in each second, counted in a row.
 * `acquire` waits, in the order of the calls of this process, and rejects only with the reason of its signal or when
 * the database fails. `null` lets everything pass.
 */
export function createErpLimiter(options: { db: Database; perSecond: number | null }): Limiter {
  const { db, perSecond } = options;
  if (perSecond === null) return { acquire: async (signal) => signal?.throwIfAborted() };
  let turn: Promise<void> = Promise.resolve();

  async function waitForPoint(perSecond: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const { count, leftMs } = await takePoint(db);
      if (count <= perSecond) return;
      await delay(leftMs + Math.random() * SPREAD_MS, undefined, signal === undefined ? {} : { signal });
    }
  }

  return {
    acquire(signal) {
      const mine = turn.then(() => waitForPoint(perSecond, signal));
      // The next one's turn comes whatever became of this one; its caller is told below.
      turn = mine.catch(() => undefined);
      return untilAborted(mine, signal);
    },
  };
}

/**
 * Counts one request in the window of this second, or begins the next one. PostgreSQL's clock decides: a host whose own clock is ahead would
 * begin windows for ever, and one behind would wait for them (rule ERP-8). `leftMs` is the rest of the window.
 */
async function takePoint(db: Database): Promise<{ count: number; leftMs: number }> {
  const { rows } = await sql<{ count: number; leftMs: number }>`
    insert into erp_rate_limit as rate (key, points, expire) values (${KEY}, 1, ${NOW_MS} + ${WINDOW_MS})
    on conflict (key) do update set
      points = case when rate.expire <= ${NOW_MS} then 1 else rate.points + 1 end,
      expire = case when rate.expire <= ${NOW_MS} then ${NOW_MS} + ${WINDOW_MS} else rate.expire end
    returning points as count, greatest(expire - ${NOW_MS}, 0)::integer as "leftMs"`.execute(db.db);
  return rows[0]!;
}
