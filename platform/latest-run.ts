/** Longer than any read: statements and calls have shorter limits. */
const LIMIT_MS = 120_000;

/**
 * Runs `work` for a key one at a time. Calls during a run share one further run after it: the
 * promise always belongs to a run that began after the call, and a burst of calls costs two runs. A
 * run that exceeds `limitMs` fails for its callers and does not block the next; null means no
 * limit.
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
      // While a further run is promised the key stays taken, or a call in between would start a
      // third run concurrently.
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
