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
/** Everything a workflow may import of ours. */
const SOURCES = [
  'workers/build-bundle.ts',
  'workflows/**/*.ts',
  '{kernel,platform}/pure/**/*.ts',
  'modules/{*,*/*}/{messages,rules}/**/*.ts',
  'modules/workflows.ts',
];

/**
 * Path of the bundle of all workflows for today's sources. It is kept under the digest of what it
 * is made of, so only the first start after a change builds it; and in a process of its own,
 * because the bundler would leave its memory in ours.
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
 * Build id of these workflows in Temporal (rule OPS-180): the version of the release and a digest
 * of its workflows. It is the same in all processes of a release, and differs if workflows differ.
 */
export async function workflowsBuildId(): Promise<string> {
  return `${readVersion()}-${await workflowsDigest()}`;
}

let digestOfSources: Promise<string> | undefined;

/**
 * Digest of everything that workflows are made of, with Temporal's SDK: 16 hexadecimal digits. A
 * process reads it once.
 */
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
