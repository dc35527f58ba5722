import { setImmediate as nextTurn } from 'node:timers/promises';

const WORK_MS = 10;

/**
 * Returns a function to call between the steps of a long calculation: after 10 ms of work it waits
 * until other requests have had a turn.
 */
export function createBreather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < WORK_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
