import { join } from 'node:path';
import { startGuarded } from '../../../tools/guarded-process.ts';

/** Options that docs/guides/storefront.md recommends. */
const OPTIONS = [
  '--additional-properties=enumUnknownDefaultCase=true,packageName=storefront',
  '--openapi-normalizer=REMOVE_ANYOF_ONEOF_AND_KEEP_PROPERTIES_ONLY=true',
];

/**
 * Generates a client into `folder`. Needs Java on PATH (HTTP-77). `programs` is the result of
 * `toolFolder('openapi-generator')`. Throws with the generator's output.
 */
export async function generateClient(
  programs: string,
  language: 'kotlin' | 'python',
  description: string,
  folder: string,
): Promise<void> {
  await runTool(join(programs, 'openapi-generator-cli'), [
    'generate',
    `--input-spec=${description}`,
    `--generator-name=${language}`,
    `--output=${folder}`,
    ...OPTIONS,
    '--global-property=models,apis,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
  ]);
}

/** Returns the last line of a program's output. Throws with all lines if it fails. */
export async function runTool(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const lines: string[] = [];
  const child = await startGuarded({
    command,
    args,
    // The generator ends before the second compiler pays off.
    env: { ...process.env, JAVA_OPTS: '-XX:TieredStopAtLevel=1', ...env },
    output: (line) => lines.push(line),
    stopSignal: 'KILL',
  });

  const { code } = await child.exited;
  if (code !== 0) throw new Error(`${command} failed:\n${lines.join('\n')}`);

  return lines.at(-1) ?? '';
}
