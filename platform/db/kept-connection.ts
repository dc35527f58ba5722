import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';

export type KeptConnection = { stop(): Promise<void> };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/**
 * The interval of checks on the connection, and the time without an answer after which the network
 * counts as silent; milliseconds.
 */
export type Silence = { askMs: number; giveUpMs: number };
const SILENCE: Silence = { askMs: 5_000, giveUpMs: 10_000 };

type KeepOptions = { db: Database; log: Log; silence?: Silence | undefined };

/**
 * Keeps one connection of the pool, whose use `what` names in the log. When it is lost another one
 * follows with a growing delay, and `begin` is called again. A connection on which the server does
 * not answer within `silence` is lost, with the others of the process that wait for an answer (rule
 * OPS-36).
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
        log.warn({ err: error, connection: what, retryInMs: wait }, 'a connection to the database is lost');
        await pause(wait, stopping.signal);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    }
  }

  /** Resolves when we stop, throws when the connection fails. */
  async function keepOnce(onBegun: () => void): Promise<void> {
    const client = await db.pool.connect();
    try {
      const ended = endOf(client, stopping.signal);
      await Promise.race([begin(client), ended]);
      onBegun();
      await Promise.race([ended, answering(client)]);
    } finally {
      // Closed, not returned to the pool: its open transaction must not be reused.
      client.release(true);
    }
  }

  /** Throws when the server does not answer on the connection; resolves when we stop. */
  async function answering(client: PoolClient): Promise<void> {
    for (;;) {
      await pause(silence.askMs, stopping.signal);
      if (stopping.signal.aborted) return;
      const answer = client.query('select 1');
      // Its end is that of the connection, which is reported separately.
      answer.catch(() => undefined);
      // In two halves: when this process did nothing at all for a moment, an answer that is there
      // is read before the second one ends.
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

/**
 * Releases everything that waits for a server that has fallen silent, for a process that listens
 * to nothing (rule OPS-36).
 */
export function watchSilence(options: KeepOptions): KeptConnection {
  return keepConnection(options, 'watch over silence', async () => undefined);
}

function endOf(client: PoolClient, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('the database closed the connection')));
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // It may fail before it is awaited; the later await still gets the failure.
  ended.catch(() => undefined);
  return ended;
}

/** Waits, or ends early when `signal` fires; that is the only way in which waiting fails. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { ref: false, signal }).catch(() => undefined);

/**
 * Listens to a channel on a connection of its own, which comes back when it is lost. `connected` is
 * called whenever it is there: what was announced meanwhile is lost and must be looked up.
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
