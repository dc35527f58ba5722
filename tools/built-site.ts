import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartFailure } from '../platform/start-failure.ts';
import { startGuarded, type Log } from './guarded-process.ts';
import { withLock } from './lock.ts';

const repository = resolve(import.meta.dirname, '..');
/** Contains a digest of the sources of a complete build. */
const MARK = 'dist/sources.txt';

/** Built into its `dist/`. */
type Site = {
  name: string;
  folder: string;
  sources: readonly string[];
  /** Generates sources before the build. */
  prepare?: string;
  /** Program (path in `node_modules`) and arguments. */
  build: readonly [program: string, ...args: string[]];
};

const STOREFRONT: Site = {
  name: 'storefront',
  folder: 'examples/storefront',
  sources: [
    'examples/storefront/{index.html,package.json,vite.config.ts}',
    'examples/storefront/src/**/*.{ts,tsx,css}',
    'packages/client/src/**/*.ts',
    'package-lock.json',
  ],
  build: ['vite/bin/vite.js', 'build'],
};

const DOCS_SITE: Site = {
  name: 'docs site',
  folder: 'packages/docs-site',
  sources: [
    'packages/docs-site/{package.json,*.ts,.vitepress/*.ts,.vitepress/theme/*}',
    'docs/**/*',
    'api/**/*.{ts,js,json}',
    'modules/*/schemas/**/*.ts',
    'kernel/pure/{codes,permissions,problems,schemas}.ts',
    '*.md',
    '{modules,packages,examples}/*/README.md',
    'ops/helm/carte/README.md',
    'package-lock.json',
  ],
  prepare: 'tools/describe-apis.ts',
  build: ['vitepress/bin/vitepress.js', 'build'],
};

const CONSOLE: Site = {
  name: 'console',
  folder: 'packages/console',
  sources: [
    'packages/console/{index.html,package.json,vite.config.ts}',
    'packages/console/src/**/*.{ts,tsx,css}',
    'packages/client/src/**/*.ts',
    'package-lock.json',
  ],
  build: ['vite/bin/vite.js', 'build'],
};

/** Builds the storefront at `/` (HTTP-59). See {@link buildOnce}. */
export const buildStorefront = (log: Log, root?: string): Promise<boolean> =>
  buildOnce(STOREFRONT, log, root);

/** Builds `/docs` (HTTP-72). See {@link buildOnce}. */
export const buildDocsSite = (log: Log, root?: string): Promise<boolean> =>
  buildOnce(DOCS_SITE, log, root);

/** Builds the console at `/console` (CSL-1). See {@link buildOnce}. */
export const buildConsole = (log: Log, root?: string): Promise<boolean> =>
  buildOnce(CONSOLE, log, root);

/**
 * Builds a site unless its `dist/` is current. Returns true if it was built now. Concurrent
 * builds are serialized.
 *
 * @throws StartFailure with the last lines of a failed build
 */
async function buildOnce(site: Site, log: Log, root = repository): Promise<boolean> {
  const digest = await digestOfSources(site, root);
  const mark = join(root, site.folder, MARK);
  const isBuilt = async () => (await readFile(mark, 'utf8').catch(() => '')) === digest;
  if (await isBuilt()) return false;
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });

  return withLock(join(cache, `${site.name.replace(' ', '-')}.lock`), {
    onWait: (pid) => log(`Waiting for process ${pid}, which is building the ${site.name}…`),
    async work() {
      if (await isBuilt()) return false;
      await runBuild(site, root);
      await writeFile(mark, digest);
      return true;
    },
  });
}

async function digestOfSources({ sources }: Site, root: string): Promise<string> {
  const hash = createHash('sha256');
  const files = globSync([...sources], { cwd: root, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted())
    hash.update(file.slice(root.length)).update(await readFile(file));

  return hash.digest('hex');
}

async function runBuild(
  { name, folder, prepare, build: [program, ...args] }: Site,
  root: string,
): Promise<void> {
  const cwd = join(root, folder);
  if (prepare !== undefined && root === repository)
    await runProgram(name, cwd, [join(repository, prepare)]);
  await runProgram(name, cwd, [join(root, 'node_modules', program), ...args]);
}

async function runProgram(name: string, cwd: string, args: string[]): Promise<void> {
  const lines: string[] = [];
  const program = await startGuarded({
    command: process.execPath,
    args,
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
    cwd,
    output: (line) => void lines.push(line),
  });

  const { code } = await program.exited;
  const reason = lines.filter((line) => !/^\s+at /.test(line)).slice(-12);
  if (code !== 0) throw new StartFailure(`The ${name} could not be built: ${reason.join('\n')}`);
}
