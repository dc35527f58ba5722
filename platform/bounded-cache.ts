export type BoundedCache<K, V> = {
  get(key: K): V | undefined;
  /** Default weight 1. */
  set(key: K, value: V, weight?: number): void;
};

/** Creates an LRU cache, bounded by total weight. Keeps the newest value. */
export function boundedCache<K, V>(bound: number): BoundedCache<K, V> {
  const entries = new Map<K, { value: V; weight: number }>();
  let total = 0;

  function take(key: K): { value: V; weight: number } | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    total -= entry.weight;
    return entry;
  }

  function put(key: K, entry: { value: V; weight: number }): void {
    entries.set(key, entry);
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
      for (const oldest of entries.keys()) {
        if (total <= bound || oldest === key) return;
        take(oldest);
      }
    },
  };
}
