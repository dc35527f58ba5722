/** Runs at most `slots` tasks at once and keeps at most `waiting` more in line; nobody queues beyond that. */
export type BoundedPool = {
  /** The result of the task, or `undefined` at once when the line is full. Rejects as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> | undefined;
};

/** A pool for work that costs memory and processor time: refusing early keeps the process alive. */
export function createBoundedPool(limits: { slots: number; waiting: number }): BoundedPool {
  const line: (() => void)[] = [];
  let running = 0;

  async function runInSlot<T>(task: () => Promise<T>): Promise<T> {
    if (running >= limits.slots) await new Promise<void>((enter) => line.push(enter));
    else running += 1;
    try {
      return await task();
    } finally {
      // A waiting task takes over the slot, so nobody can slip in between.
      const next = line.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    run: (task) => (running >= limits.slots && line.length >= limits.waiting ? undefined : runInSlot(task)),
  };
}
