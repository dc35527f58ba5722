import { setImmediate as nextTurn } from 'node:timers/promises';

const WORK_MS = 10;

/** Returns a function that lets other requests run after 10 ms of work. */
export function createBreather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < WORK_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
