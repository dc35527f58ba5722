import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

export type KeptConnection = { stop(): Promise<void> };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** Interval of checks, and the time without an answer that counts as silence; ms. */
export type Silence = { askMs: number; giveUpMs: number };
const SILENCE: Silence = { askMs: 5_000, giveUpMs: 10_000 };

type KeepOptions = { db: Database; log: Log; silence?: Silence | undefined };

/**
 * Keeps one connection of the pool. After a loss, it reconnects with a growing delay and calls
 * `begin` again. If the server is silent, closes this connection and all others that wait for an
 * answer (OPS-36). `what` is for the log.
 */
function keepConnection(
  { db, log, silence = SILENCE }: KeepOptions,
  what: string,
  begin: (client: PoolClient) => Promise<unknown>,
): KeptConnection {
  const stopping = new AbortController();
  const running = keep();

  async function keep(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!stopping.signal.aborted) {
      try {
        await keepOnce(() => (wait = FIRST_WAIT_MS));
      } catch (error) {
        log.warn(
          { err: error, connection: what, retryInMs: wait },
          'a connection to the database is lost',
        );
        await pause(wait, stopping.signal);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    }
  }

  async function keepOnce(onBegun: () => void): Promise<void> {
    const client = await db.pool.connect();
    try {
      const ended = watchEnd(client, stopping.signal);
      await Promise.race([begin(client), ended]);
      onBegun();
      await Promise.race([ended, answering(client)]);
    } finally {
      // An open transaction must not be reused.
      client.release(true);
    }
  }

  /** Throws if the server does not answer, resolves at the stop. */
  async function answering(client: PoolClient): Promise<void> {
    for (;;) {
      await pause(silence.askMs, stopping.signal);
      if (stopping.signal.aborted) return;
      const answer = client.query('select 1');
      // The end is reported separately.
      answer.catch(() => undefined);
      // Two halves: after a suspension of this process, an arrived answer is read before the second
      // half ends.
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

/** Detects silent servers for a process without LISTEN (OPS-36). */
export function watchSilence(options: KeepOptions): KeptConnection {
  return keepConnection(options, 'watch over silence', async () => undefined);
}

function watchEnd(client: PoolClient, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('the database closed the connection')));
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

  // The promise may fail before it is awaited.
  ended.catch(() => undefined);

  return ended;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { ref: false, signal }).catch(() => undefined);

/**
 * Listens to a channel, with reconnects. Read the current state in `connected`, because
 * announcements in between are lost.
 */
export function listenTo(
  options: KeepOptions,
  channel: string,
  on: { announced: (payload: string) => void; connected: () => void },
): KeptConnection {
  return keepConnection(options, channel, async (client) => {
    client.on('notification', ({ payload }) => on.announced(payload ?? ''));
    await client.query(`listen ${channel}`);
    on.connected();
  });
}
