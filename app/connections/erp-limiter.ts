import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limiter } from '../../erp/ports.ts';
import type { Database } from '../database.ts';
import { untilAborted } from './until-aborted.ts';

/** One budget for all connections: the ERP sees one client (rule ERP-8). */
const KEY = 'all';
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
  const limiter = new RateLimiterPostgres({
    storeClient: db.pool,
    storeType: 'pool',
    tableName: 'erp_rate_limit',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: 'erp',
    points: perSecond,
    duration: 1,
  });
  let turn: Promise<void> = Promise.resolve();

  async function waitForPoint(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const wait = await limiter.consume(KEY).then(() => null, waitingTime);
      if (wait === null) return;
      await delay(wait + Math.random() * SPREAD_MS, undefined, signal === undefined ? {} : { signal });
    }
  }

  return {
    acquire(signal) {
      const mine = turn.then(() => waitForPoint(signal));
      // The next one's turn comes whatever became of this one; its caller is told below.
      turn = mine.catch(() => undefined);
      return untilAborted(mine, signal);
    },
  };
}

/** A refusal of the limiter says how long to wait; everything else is a fault of the database. */
function waitingTime(refusal: unknown): number {
  if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
  throw refusal;
}
