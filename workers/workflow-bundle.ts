import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readVersion } from '../platform/build-info.ts';
import type { Log } from '../platform/log.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** All of our sources that a workflow may import. */
const SOURCES = [
  'workers/build-bundle.ts',
  'workflows/**/*.ts',
  '{kernel,platform}/pure/**/*.ts',
  'modules/{*,*/*}/{messages,rules}/**/*.ts',
  'modules/workflows.ts',
];

/**
 * Only the first start after a change builds the bundle, in a separate process, because the
 * bundler would keep memory.
 */
export async function workflowBundle(folder: string, log: Log): Promise<string> {
  const path = join(folder, 'workflow-bundles', `${await workflowsDigest()}.js`);
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) return path;

  log.info('building the workflow bundle');
  await mkdir(join(path, '..'), { recursive: true });
  const program = fileURLToPath(new URL('build-bundle.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [program, path], { cwd: root });

  return path;
}

/**
 * Returns the build id of these workflows (rule OPS-180): release version and digest, equal in
 * all processes of a release.
 */
export async function workflowsBuildId(): Promise<string> {
  return `${readVersion()}-${await workflowsDigest()}`;
}

let digestOfSources: Promise<string> | undefined;

/** Covers all sources of workflows and Temporal's SDK. Computed once per process. */
const workflowsDigest = (): Promise<string> => (digestOfSources ??= readDigest());

async function readDigest(): Promise<string> {
  const digest = createHash('sha256');
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as {
    version: string;
  };
  digest.update(version);
  for (const file of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted())
    digest.update(`\0${file}\0`).update(await readFile(join(root, file)));

  return digest.digest('hex').slice(0, 16);
}
