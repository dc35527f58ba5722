import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest work in ms before other requests of the process have their turn. */
const WORK_MS = 10;

/**
 * Returns a function to call between the steps of a long calculation: when it has worked for 10 ms,
 * it waits until other requests have had their turn.
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
