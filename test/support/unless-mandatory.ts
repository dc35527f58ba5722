import { describe, test } from '@jest/globals';
import { resolveProgram } from '../../packages/dev/programs/programs.ts';

/** Rethrows the error with CI=true. Otherwise reports on stderr why tests are omitted. */
export function unlessMandatory(error: unknown): undefined {
  if (process.env['CI'] === 'true') throw error;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return undefined;
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

/** Declares a test, or a `todo` without the program. */
export function testWith<Program>(
  program: Program | undefined,
  title: string,
  body: (program: Program) => Promise<void>,
): void {
  // The body of the caller has the assertions.
  const declare: (title: string, run: () => Promise<void>) => void = test;
  if (program === undefined) test.todo(`${title}`);
  else declare(title, async () => body(program));
}

/** Undefined, with the reasons on stderr, if the program is missing. Throws with CI=true. */
export function pathUnlessMandatory(
  program: string,
  found: { path: string } | { path: string; reasons: readonly string[] },
): string | undefined {
  if (!('reasons' in found)) return found.path;
  return unlessMandatory(new Error(`There is no ${program}: ${found.reasons.join('; ')}`));
}
