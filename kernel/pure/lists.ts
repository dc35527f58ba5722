/** Returns a comparator: numbers numerically, texts by code unit. */
export function by<T>(
  ...keys: readonly ((entry: T) => number | string)[]
): (left: T, right: T) => number {
  return (left, right) => {
    for (const key of keys) {
      const [a, b] = [key(left), key(right)];
      if (a !== b) return a < b ? -1 : 1;
    }

    return 0;
  };
}

export function inBatches<T>(all: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < all.length; start += size)
    batches.push(all.slice(start, start + size));
  return batches;
}
