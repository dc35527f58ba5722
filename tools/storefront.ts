import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartFailure } from '../platform/start-failure.ts';
import { startGuarded, type Log } from './guarded-process.ts';
import { withLock } from './lock.ts';

const repository = resolve(import.meta.dirname, '..');
const FOLDER = 'examples/storefront';
/** Everything that the output depends on. */
const SOURCES = [
  'examples/storefront/{index.html,package.json,vite.config.ts}',
  'examples/storefront/src/**/*.{ts,tsx,css}',
  'packages/client/src/**/*.ts',
  'package-lock.json',
];
/** Names the sources of a complete output. */
const MARK = 'dist/sources.txt';

/**
 * Builds the example storefront, which the API serves at `/`, unless `dist/` has been built from
 * these sources. Returns true when it has been built now. `root` is the repository. Processes that
 * build at the same time wait for each other. (HTTP-59)
 *
 * @throws StartFailure with the last lines of Vite if the build fails
 */
export async function buildStorefront(log: Log, root = repository): Promise<boolean> {
  const digest = await digestOfSources(root);
  const mark = join(root, FOLDER, MARK);
  const isBuilt = async () => (await readFile(mark, 'utf8').catch(() => '')) === digest;
  if (await isBuilt()) return false;
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  return withLock(join(cache, 'storefront.lock'), {
    onWait: (pid) => log(`Waiting for process ${pid}, which is building the storefront…`),
    async work() {
      if (await isBuilt()) return false;
      await runVite(root);
      await writeFile(mark, digest);
      return true;
    },
  });
}

async function digestOfSources(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted())
    hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex');
}

async function runVite(root: string): Promise<void> {
  const lines: string[] = [];
  const vite = await startGuarded({
    command: process.execPath,
    args: [join(root, 'node_modules/vite/bin/vite.js'), 'build'],
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
    cwd: join(root, FOLDER),
    output: (line) => void lines.push(line),
  });
  const { code } = await vite.exited;
  const reason = lines.filter((line) => !/^\s+at /.test(line)).slice(-12);
  if (code !== 0) throw new StartFailure(`The storefront could not be built: ${reason.join('\n')}`);
}
