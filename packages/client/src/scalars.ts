/** ISO 8601 with an offset. */
export type DateTime = string;
export type Uuid = string;

/**
 * A code that this version of the client does not contain. Comparing with a code of this version
 * excludes it.
 */
export type OtherCode = `${string} (newer)`;

/**
 * Rubles with two decimals. Add amounts in {@link kopecks}, because fractions of a ruble are not
 * exact.
 */
export type Money = number;

/** Converts to whole kopecks, safe to add and to compare. */
export function kopecks(money: Money): number {
  return Math.round(money * 100);
}
