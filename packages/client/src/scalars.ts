/** ISO 8601 with an offset. */
export type DateTime = string;
export type Uuid = string;

/**
 * A code that the server has and this version of the client does not. The type stands for any other
 * text: comparing with a code of the client rules it out.
 */
export type OtherCode = `${string} (newer)`;

/**
 * Rubles with two decimals, as the server writes them. For sums use {@link kopecks}: parts of a
 * ruble are not exact.
 */
export type Money = number;

/** The same amount in whole kopecks, safe to add and to compare. */
export function kopecks(money: Money): number {
  return Math.round(money * 100);
}
