/**
 * For tests that need a program which is not a package of ours: with CI=true there must be one, so
 * the error is thrown again; elsewhere it is the reason with which they count as skipped.
 */
export function unlessMandatory(error: unknown): { reason: string } {
  if (process.env['CI'] === 'true') throw error;
  return { reason: error instanceof Error ? error.message : String(error) };
}

/** Returns the path of a program; undefined where there is none, and with CI=true an error. */
export function pathUnlessMandatory(
  program: string,
  found: { path: string } | { path: string; reasons: readonly string[] },
): string | undefined {
  if (!('reasons' in found)) return found.path;
  if (process.env['CI'] === 'true') throw new Error(`There is no ${program}: ${found.reasons.join('; ')}`);
  return undefined;
}
