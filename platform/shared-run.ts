/** Runs `work` once at a time per key. Concurrent calls share its outcome, which is not cached. */
export function sharedRun<K, T>(): (key: K, work: () => Promise<T>) => Promise<T> {
  const running = new Map<K, Promise<T>>();
  return (key, work) => {
    const pendingRun = running.get(key);
    if (pendingRun !== undefined) return pendingRun;
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
