/**
 * Returns a function that runs `work` once at a time per key. Calls during a run share its result
 * or failure. Results are not cached.
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
