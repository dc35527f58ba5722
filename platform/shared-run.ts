/**
 * Runs `work` for a key once at a time: a call during a run gets the result of that run, its
 * failure included. Nothing is kept after the run, so the next call begins another one.
 */
export function sharedRun<K, T>(): (key: K, work: () => Promise<T>) => Promise<T> {
  const running = new Map<K, Promise<T>>();
  return (key, work) => {
    const found = running.get(key);
    if (found !== undefined) return found;
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
