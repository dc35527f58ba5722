/** Longer than statements and calls. */
const LIMIT_MS = 120_000;

/**
 * Runs `work` for a key one at a time. Calls during a run share one further run, so no result is
 * older than its call. A run over `limitMs` (null: no limit) fails without blocking the next.
 */
export function latestRun<K, T = void>(
  work: (key: K) => Promise<T>,
  { limitMs = LIMIT_MS }: { limitMs?: number | null } = {},
): (key: K) => Promise<T> {
  const running = new Map<K, { current: Promise<T>; next: Promise<T> | null }>();

  function start(key: K): Promise<T> {
    const state: { current: Promise<T>; next: Promise<T> | null } = {
      current: limitMs === null ? work(key) : within(limitMs, work(key)),
      next: null,
    };

    running.set(key, state);

    return state.current.finally(() => {
      // A call in between could start a third run.
      if (state.next === null) running.delete(key);
    });
  }

  return (key) => {
    const state = running.get(key);
    if (state === undefined) return start(key);
    const again = () => start(key);
    return (state.next ??= state.current.then(again, again));
  };
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(
    () => reject(new Error(`a run took longer than ${limitMs} ms`)),
    limitMs,
  );

  limit.unref();

  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(limit);
  }
}
