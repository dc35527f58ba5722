/**
 * Returns the number of repetitions of a race or a crash: `n` in the test command, a multiple of it
 * in `npm run soak` (SOAK_FACTOR).
 */
export function repetitions(n: number): number {
  return n * Number(process.env['SOAK_FACTOR'] ?? 1);
}

/** The whole of what is looked through in `npm run soak`, `few` of it in the test command. */
export function wholeInSoak<T>(whole: T, few: T): T {
  return repetitions(1) > 1 ? whole : few;
}
