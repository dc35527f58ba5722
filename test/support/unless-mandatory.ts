/**
 * For tests that need a program outside of our packages: with CI=true the error is rethrown,
 * otherwise it is the reason to skip them.
 */
export function unlessMandatory(error: unknown): { reason: string } {
  if (process.env['CI'] === 'true') throw error;
  return { reason: error instanceof Error ? error.message : String(error) };
}

/**
 * Returns the path of a program, undefined if it is missing. Throws if it is missing with CI=true.
 */
export function pathUnlessMandatory(
  program: string,
  found: { path: string } | { path: string; reasons: readonly string[] },
): string | undefined {
  if (!('reasons' in found)) return found.path;
  if (process.env['CI'] === 'true') throw new Error(`There is no ${program}: ${found.reasons.join('; ')}`);
  return undefined;
}
