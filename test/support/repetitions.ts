import { test } from '@jest/globals';

const soakFactor = process.env['SOAK_FACTOR'];

/**
 * Returns the number of repetitions of a race, a crash or a random case: a third of `n` in the test
 * command, `n` in `npm run test:all`, and SOAK_FACTOR times `n` where that is set.
 */
export function repetitions(n: number): number {
  return soakFactor === undefined ? Math.ceil(n / 3) : n * Number(soakFactor);
}

/** Returns `whole` in `npm run test:all`, `few` in the test command. */
export function wholeInSoak<T>(whole: T, few: T): T {
  return soakFactor === undefined ? few : whole;
}

/** A test of many seconds whose rule has a faster one: skipped in the test command. */
export const longTest: typeof test = soakFactor === undefined ? (test.skip as typeof test) : test;
