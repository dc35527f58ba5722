import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs } from './cpu.ts';
import type { Send } from './steady.ts';

export type AtOnce = {
  ms: number[];
  perSecond: number;
  /** CPU time per answer by process, ms. */
  cpu: Record<string, number>;
  /** Mean number of API connections by state. */
  waits: Record<string, number>;
};

type AtOnceOptions = {
  guests: number;
  seconds: number;
  /** Prepared requests. The measurement ends when all are answered. */
  available: number;
  pids: Record<string, number>;
  sample: () => Promise<readonly string[]>;
};

const SAMPLE_EVERY_MS = 50;

/**
 * Sends each prepared request once, in a closed loop: a guest waits for the answer before the next
 * request.
 */
export async function atOnce(
  send: Send,
  { guests, seconds, available, pids, sample }: AtOnceOptions,
): Promise<AtOnce> {
  const ms: number[] = [];
  const before = Object.entries(pids).map(([name, pid]) => [name, cpuMs(pid)] as const);
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  let next = 0;
  const guest = async () => {
    while (performance.now() < end && next < available) {
      const sent = performance.now();
      await send(next++);
      ms.push(performance.now() - sent);
    }
  };

  let isOver = false;
  const states: string[][] = [];
  const sampling = (async () => {
    while (!isOver) {
      states.push([...(await sample())]);
      await delay(SAMPLE_EVERY_MS);
    }
  })();

  await Promise.all(Array.from({ length: guests }, guest)).finally(() => (isOver = true));
  const elapsedSeconds = (performance.now() - begun) / 1_000;
  const cpu = Object.fromEntries(
    before.map(([name, used]) => [name, (cpuMs(pids[name]!) - used) / ms.length]),
  );
  await sampling;
  const waits: Record<string, number> = {};
  for (const state of states.flat()) waits[state] = (waits[state] ?? 0) + 1 / states.length;

  return { ms, perSecond: ms.length / elapsedSeconds, cpu, waits };
}
