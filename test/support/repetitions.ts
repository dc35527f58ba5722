/** How often a race or a crash is repeated: `n` in the test command, a multiple of it in `npm run soak` (SOAK_FACTOR). */
export function repetitions(n: number): number {
  return n * Number(process.env['SOAK_FACTOR'] ?? 1);
}
