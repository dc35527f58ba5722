import { test } from '@jest/globals';

const soakFactor = process.env['SOAK_FACTOR'];

/**
 * Returns the repetitions of a random test: a third of `n` in the test command, `n` in `npm run
 * test:all`, times SOAK_FACTOR if set.
 */
export function repetitions(n: number): number {
  return soakFactor === undefined ? Math.ceil(n / 3) : n * Number(soakFactor);
}

/** Returns `whole` in `npm run test:all`, otherwise `few`. */
export function wholeInSoak<T>(whole: T, few: T): T {
  return soakFactor === undefined ? few : whole;
}

/** A slow test whose rule also has a fast test: skipped in the test command. */
export const longTest: typeof test = soakFactor === undefined ? (test.skip as typeof test) : test;
