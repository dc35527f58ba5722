/** A pause that doubles with every time, up to the longest; milliseconds. */
export const growing = (firstMs: number, times: number, longestMs: number): number =>
  Math.min(firstMs * 2 ** (times - 1), longestMs);
