import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls that come within a moment are one call: `work` gets what all of them have brought, and each call ends as that one does.
 */
export function gathered<T>(waitMs: number, work: (all: readonly T[]) => Promise<void>): (one: T) => Promise<void> {
  let brought: T[] = [];
  let next: Promise<void> | null = null;
  return (one) => {
    brought.push(one);
    next ??= delay(waitMs).then(() => {
      const all = brought;
      brought = [];
      next = null;
      return work(all);
    });
    return next;
  };
}
