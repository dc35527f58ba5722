import { describe, test } from '@jest/globals';
import { resolveProgram } from '../../packages/dev/programs/programs.ts';

/** Rethrows the error with CI=true, otherwise returns it as the reason to skip a test. */
export function unlessMandatory(error: unknown): { reason: string } {
  if (process.env['CI'] === 'true') throw error;
  return { reason: error instanceof Error ? error.message : String(error) };
}

/**
 * Finds or installs a program that no npm package contains. Undefined if there is none; throws with
 * CI=true.
 */
export async function programForTests(
  name: Parameters<typeof resolveProgram>[0],
): Promise<string | undefined> {
  return pathUnlessMandatory(
    name,
    await resolveProgram(name, { log: (line) => void process.stderr.write(`${line}\n`) }),
  );
}

/** Without the program the tests are a `todo`, so that a run shows the omission. */
export function describeWith<Program>(
  program: Program | undefined,
  title: string,
  body: (program: Program) => void,
): void {
  describe(`${title}`, () => {
    if (program === undefined) test.todo('need a program that this machine does not have');
    else body(program);
  });
}

/** Undefined, with the reasons on stderr, if the program is missing. Throws with CI=true. */
export function pathUnlessMandatory(
  program: string,
  found: { path: string } | { path: string; reasons: readonly string[] },
): string | undefined {
  if (!('reasons' in found)) return found.path;
  const missing = `There is no ${program}: ${found.reasons.join('; ')}`;
  if (process.env['CI'] === 'true') throw new Error(missing);
  process.stderr.write(`${missing}\n`);
  return undefined;
}
