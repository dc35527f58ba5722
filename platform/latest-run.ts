/**
 * Runs `work` for a key one at a time. A call during a run shares one further run that starts after it, so the
 * returned promise always stands for a run that began after the call, and a burst of calls costs two runs.
 */
export function latestRun<K, T = void>(work: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const running = new Map<K, { current: Promise<T>; next: Promise<T> | null }>();

  function start(key: K): Promise<T> {
    const state: { current: Promise<T>; next: Promise<T> | null } = { current: work(key), next: null };
    running.set(key, state);
    return state.current.finally(() => {
      // With a further run promised the key stays taken, or a call in between would start a third one beside it.
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
