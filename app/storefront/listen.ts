import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../platform/log.ts';

export type Listener = { stop(): Promise<void> };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** How often the server is asked on the connection, and after how long without an answer the network counts as silent; milliseconds. */
export type Silence = { askMs: number; giveUpMs: number };
const SILENCE: Silence = { askMs: 5_000, giveUpMs: 10_000 };

/**
 * Listens to a channel on a connection of its own. When the connection is lost it comes back with a growing delay, subscribes again
 * and calls `connected`: what was announced meanwhile is lost and must be looked up. A connection on which the server does not answer
 * within `silence` is lost, with the others of the process that wait for an answer (rule OPS-36).
 */
export function listenTo(
  { db, log, silence = SILENCE }: { db: Database; log: Log; silence?: Silence | undefined },
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
      await Promise.race([ended, answering(client)]);
    } finally {
      // Closed, not given back: a subscribed session must not serve anybody else.
      client.release(true);
    }
  }

  /** Throws when the server does not answer on the connection; resolves when we stop. */
  async function answering(client: PoolClient): Promise<void> {
    for (;;) {
      await pause(silence.askMs, stopping.signal);
      if (stopping.signal.aborted) return;
      const answer = client.query('select 1');
      // Its end is that of the connection, which is told elsewhere.
      answer.catch(() => undefined);
      // In two halves: when this process did nothing at all for a moment, an answer that is there is read before the second one ends.
      const isAnswered = () =>
        Promise.race([
          answer.then(() => true),
          pause(silence.giveUpMs / 2, stopping.signal).then(() => stopping.signal.aborted),
        ]);
      if ((await isAnswered()) || (await isAnswered())) continue;
      db.giveUpUnanswered();
      throw new Error('the database does not answer');
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

/** Waits, or ends early when `signal` fires; that is the only way in which waiting fails. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { ref: false, signal }).catch(() => undefined);
