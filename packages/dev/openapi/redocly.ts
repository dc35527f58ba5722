import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One thing that the linter found: the rule, where in the description, and a sentence. */
export type Finding = { rule: string; place: string; message: string };

/** The recommended rules without those that we have decided against. */
const CONFIGURATION = {
  extends: ['recommended'],
  rules: {
    // The product is not published under a license.
    'info-license': 'off',
    // The name of a tag describes its operations.
    'tag-description': 'off',
    // Sign-on answers with redirects alone.
    'operation-2xx-response': 'off',
  },
};

/**
 * Everything that the linter of redocly finds in an API description, errors and warnings; empty
 * when it is good. `modules` is the answer of `toolFolder('redocly')`. Throws when the linter
 * itself fails.
 */
export async function lintDescription(modules: string, description: object): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'carte-redocly-'));
  try {
    await writeFile(join(folder, 'redocly.yaml'), JSON.stringify(CONFIGURATION));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(description));
    const { problems } = JSON.parse(await run(modules, folder)) as Report;
    return problems.map(({ ruleId, message, location: [at] }) => ({
      rule: ruleId,
      place: at?.pointer ?? '',
      message,
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Report = { problems: { ruleId: string; message: string; location: { pointer?: string }[] }[] };

/**
 * The report of the linter; it ends with 1 when it has found errors and with another code when it
 * could not work.
 */
function run(modules: string, cwd: string): Promise<string> {
  const program = join(modules, '@redocly/cli/bin/cli.js');
  const args = [program, 'lint', 'openapi.json', '--format=json', '--max-problems=10000'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, env, maxBuffer: 64 * 1_048_576 }, (error, stdout, stderr) => {
      if (error === null || error.code === 1) resolve(stdout);
      else reject(new Error(`The linter ended with ${error.code}: ${stderr.trim()}`));
    });
  });
}
