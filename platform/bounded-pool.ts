/** Runs at most a given number of tasks at once; the others wait in the order of their calls. */
export type Slots = {
  /** The result of the task. Rejects as the task does. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Tasks that run or wait now. */
  load(): number;
};

/** Runs at most `slots` tasks at once and keeps at most `waiting` more in line; nobody queues beyond that. */
export type BoundedPool = {
  /** The result of the task, or `undefined` at once when the line is full. Rejects as the task does. */
  run<T>(task: () => Promise<T>): Promise<T> | undefined;
};

/** Slots for work whose callers are few and can wait. */
export function createSlots(slots: number): Slots {
  const line: (() => void)[] = [];
  let running = 0;

  return {
    async run(task) {
      if (running >= slots) await new Promise<void>((enter) => line.push(enter));
      else running += 1;
      try {
        return await task();
      } finally {
        // A waiting task takes over the slot, so nobody can slip in between.
        const next = line.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
    load: () => running + line.length,
  };
}

/** A pool for work that costs memory and processor time: refusing early keeps the process alive. */
export function createBoundedPool(limits: { slots: number; waiting: number }): BoundedPool {
  const slots = createSlots(limits.slots);
  return {
    run: (task) => (slots.load() >= limits.slots + limits.waiting ? undefined : slots.run(task)),
  };
}
