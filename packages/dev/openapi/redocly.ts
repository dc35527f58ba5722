import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Finding = { rule: string; place: string; message: string };

const CONFIGURATION = {
  extends: ['recommended'],
  rules: {
    // The product is not published under a license.
    'info-license': 'off',
    // Names of tags describe their operations.
    'tag-description': 'off',
    // Sign-on answers only with redirects.
    'operation-2xx-response': 'off',
  },
};

/**
 * Returns errors and warnings. `modules` is the result of `toolFolder('redocly')`. Throws if the
 * linter fails.
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

/** Exit code 1 means errors were found, others mean failure. */
function run(modules: string, cwd: string): Promise<string> {
  const program = join(modules, '@redocly/cli/bin/cli.js');
  const args = [program, 'lint', 'openapi.json', '--format=json', '--max-problems=10000'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { cwd, env, maxBuffer: 64 * 1_048_576 },
      (error, stdout, stderr) => {
        if (error === null || error.code === 1) resolve(stdout);
        else reject(new Error(`The linter ended with ${error.code}: ${stderr.trim()}`));
      },
    );
  });
}
