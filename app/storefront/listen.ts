import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../platform/log.ts';

export type Listener = { stop(): Promise<void> };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Listens to a channel on a connection of its own. When the connection is lost it comes back with a growing delay, subscribes again
 * and calls `connected`: what was announced meanwhile is lost and must be looked up.
 */
export function listenTo(
  { db, log }: { db: Database; log: Log },
  channel: string,
  on: { announced: (payload: string) => void; connected: () => void },
): Listener {
  const stopping = new AbortController();
  const running = keepListening();

  async function keepListening(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!stopping.signal.aborted) {
      try {
        await listenOnce(() => (wait = FIRST_WAIT_MS));
      } catch (error) {
        log.warn({ err: error, channel, retryInMs: wait }, 'a subscription is lost');
        await pause(wait, stopping.signal);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    }
  }

  /** Resolves when we stop, throws when the connection fails. */
  async function listenOnce(onSubscribed: () => void): Promise<void> {
    const client = await db.pool.connect();
    try {
      const ended = endOf(client, stopping.signal);
      client.on('notification', ({ payload }) => on.announced(payload ?? ''));
      await Promise.race([client.query(`listen ${channel}`), ended]);
      onSubscribed();
      on.connected();
      await ended;
    } finally {
      // Closed, not given back: a subscribed session must not serve anybody else.
      client.release(true);
    }
  }

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function endOf(client: PoolClient, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('the database closed the connection')));
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // It may fail while nobody waits for it yet; the waiting place still sees the failure.
  ended.catch(() => undefined);
  return ended;
}

/** Waits, or ends early when `signal` fires. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await Promise.race([
    delay(ms, undefined, { ref: false }),
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  ]);
}
