import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../processes.ts';

export type Runnable = { pid: number; exited: Promise<unknown>; stop: () => Promise<unknown> };

/** A part of the system that is restarted whenever it ends, as by an orchestrator. */
export type Part = {
  name: string;
  /** Sends SIGKILL and restarts the part `downMs` after its end. */
  kill(downMs: number): Promise<void>;
  isUp(): boolean;
  up(): Promise<void>;
  /**
   * Terminates the part like an upgrade, and waits for its successor. Returns the exit code or
   * signal.
   */
  replace(): Promise<unknown>;
  stop(): Promise<void>;
  counts: { kills: number; endsOfItsOwn: number; failedStarts: number; longestDownMs: number };
};

const RETRY_MS = 300;
const UP_WITHIN_MS = 90_000;

/** Runs a part. `start` resolves when it is ready, and leaves no process if it rejects. */
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
    void (await eventually(
      `${name} is up`,
      async () => (current === undefined ? undefined : true),
      UP_WITHIN_MS,
      50,
    ));

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
      // A start may be in progress.
      await current?.stop();
    },
  };
}
