/** ISO 8601 with an offset. */
export type DateTime = string;
export type Uuid = string;

/**
 * A code that is newer than this version of the client. Comparing with a code of the client
 * excludes it.
 */
export type OtherCode = `${string} (newer)`;

/** Rubles with two decimals. For sums use {@link kopecks}: parts of a ruble are not exact. */
export type Money = number;

/** Converts to whole kopecks, safe to add and to compare. */
export function kopecks(money: Money): number {
  return Math.round(money * 100);
}
