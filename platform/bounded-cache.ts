/** A least-recently-used cache. */
export type BoundedCache<K, V> = {
  get(key: K): V | undefined;
  /**
   * Keeps a value instead of what was kept for the key. `weight` is in the unit of the bound and 1
   * when it is left out.
   */
  set(key: K, value: V, weight?: number): void;
};

/**
 * Keeps values until their weights exceed `bound`. Then the least recently used ones are evicted,
 * but never the newest one.
 */
export function boundedCache<K, V>(bound: number): BoundedCache<K, V> {
  // A map keeps the order in which its keys came.
  const kept = new Map<K, { value: V; weight: number }>();
  let total = 0;

  function take(key: K): { value: V; weight: number } | undefined {
    const entry = kept.get(key);
    if (entry === undefined) return undefined;
    kept.delete(key);
    total -= entry.weight;
    return entry;
  }

  function put(key: K, entry: { value: V; weight: number }): void {
    kept.set(key, entry);
    total += entry.weight;
  }

  return {
    get(key) {
      const entry = take(key);
      if (entry !== undefined) put(key, entry);
      return entry?.value;
    },
    set(key, value, weight = 1) {
      take(key);
      put(key, { value, weight });
      for (const oldest of kept.keys()) {
        if (total <= bound || oldest === key) return;
        take(oldest);
      }
    },
  };
}
