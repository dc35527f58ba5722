import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../processes.ts';

/** A process as the supervisor sees it. */
export type Runnable = { pid: number; exited: Promise<unknown>; stop: () => Promise<unknown> };

/** A part of the system that is started again whenever it ends, as an orchestrator does. */
export type Part = {
  name: string;
  /** SIGKILL; the part stays down for `downMs` and restarts. Waits until it has ended. */
  kill(downMs: number): Promise<void>;
  /** Returns whether it runs and is ready. */
  isUp(): boolean;
  /** Waits until it is. */
  up(): Promise<void>;
  /**
   * Terminates it, as an installation of another release does, and waits until it runs again;
   * returns how it has ended.
   */
  replace(): Promise<unknown>;
  stop(): Promise<void>;
  /** `longestDownMs`: from an end to the next ready state, including all waits. */
  counts: { kills: number; endsOfItsOwn: number; failedStarts: number; longestDownMs: number };
};

const RETRY_MS = 300;
const UP_WITHIN_MS = 90_000;

/**
 * `start` resolves when the process is ready and rejects, with nothing left running, when it could
 * not start.
 */
export function supervise(name: string, start: () => Promise<Runnable>): Part {
  const counts = { kills: 0, endsOfItsOwn: 0, failedStarts: 0, longestDownMs: 0 };
  let current: Runnable | undefined;
  let isOver = false;
  let downMs = 0;
  let downSince = Date.now();

  async function keepUp(): Promise<void> {
    while (!isOver) {
      const started = await start().catch(() => undefined);
      if (started === undefined) {
        counts.failedStarts += 1;
        await delay(RETRY_MS);
        continue;
      }
      current = started;
      counts.longestDownMs = Math.max(counts.longestDownMs, Date.now() - downSince);
      const killsBefore = counts.kills;
      await started.exited;
      current = undefined;
      downSince = Date.now();
      if (isOver) return;
      if (counts.kills === killsBefore) counts.endsOfItsOwn += 1;
      await delay(downMs);
      downMs = 0;
    }
  }
  const keeper = keepUp();
  const up = async (): Promise<void> =>
    void (await eventually(`${name} is up`, async () => (current === undefined ? undefined : true), UP_WITHIN_MS, 50));

  return {
    name,
    counts,
    isUp: () => current !== undefined,
    up,
    async kill(forMs) {
      await up();
      const victim = current;
      if (victim === undefined) return;
      counts.kills += 1;
      downMs = forMs;
      process.kill(victim.pid, 'SIGKILL');
      await victim.exited;
    },
    async replace() {
      await up();
      const former = current;
      const end = await former?.stop();
      await eventually(`${name} is there again`, async () =>
        current === undefined || current === former ? undefined : true,
      );
      return end;
    },
    async stop() {
      isOver = true;
      await current?.stop();
      await keeper;
      // What was starting meanwhile.
      await current?.stop();
    },
  };
}
