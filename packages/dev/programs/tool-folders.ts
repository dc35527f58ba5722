import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../../../platform/start-failure.ts';
import { cacheFolder, onPath } from '../../../tools/cached-program.ts';
import { startGuarded, type Log } from '../../../tools/guarded-process.ts';
import { withLock } from '../../../tools/lock.ts';

type Tool = {
  kind: 'maven' | 'npm' | 'python';
  /** Folder with package.json and package-lock.json, requirements.txt, or pom.xml. */
  from: string;
};

/** Rarely needed tools with dozens of packages. */
const TOOLS = {
  'axe-core': { kind: 'npm', from: 'npm/axe-core' },
  'client-checks': { kind: 'npm', from: 'npm/client-checks' },
  'next-starter': { kind: 'npm', from: 'npm/next-starter' },
  redocly: { kind: 'npm', from: 'npm/redocly' },
  s3rver: { kind: 'npm', from: 'npm/s3rver' },
  stryker: { kind: 'npm', from: 'npm/stryker' },
  'vite-starter': { kind: 'npm', from: 'npm/vite-starter' },
  'kotlin-client': { kind: 'maven', from: '../kotlin-client' },
  /** The generator is a Java archive. The Python packages are for its generated clients. */
  'openapi-generator': { kind: 'python', from: '../openapi-generator' },
  'openapi-python-client': { kind: 'python', from: '../python-client' },
  'kubernetes-validate': { kind: 'python', from: '../kubernetes-schemas' },
  schemathesis: { kind: 'python', from: '../../../test/fuzz' },
} as const satisfies Record<string, Tool>;

type Kind = {
  /** The lock file, whose digest names the cache folder. */
  list: string;
  result: string;
  /** Exists only if the tool is complete. */
  mark: string;
  prefix: string;
  install: (install: {
    source: string;
    folder: string;
    env: NodeJS.ProcessEnv;
    name: string;
  }) => Promise<void>;
};

const KINDS: Readonly<Record<Tool['kind'], Kind>> = {
  npm: {
    list: 'package-lock.json',
    result: 'node_modules',
    mark: 'node_modules',
    prefix: 'npm-',
    install({ source, folder, env, name }) {
      const npm = env['npm_execpath'];
      const args = ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
      const [command, given] =
        npm === undefined ? ['npm', args] : [process.execPath, [npm, ...args]];

      return inNewFolder(folder, source, ['package.json', 'package-lock.json'], (cwd) =>
        run(name, command, given, { cwd, env, deleteFolder: cwd }),
      );
    },
  },
  maven: {
    list: 'pom.xml',
    result: 'lib',
    mark: 'lib',
    prefix: 'maven-',
    install({ source, folder, env, name }) {
      const maven = onPath('mvn', env['PATH']);
      if (maven === undefined) throw new StartFailure(`${name} needs Maven (mvn) on PATH.`);
      const args = [
        '--quiet',
        '--batch-mode',
        'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies',
        '-DoutputDirectory=lib',
      ];

      return inNewFolder(folder, source, ['pom.xml'], (cwd) =>
        run(name, maven, args, { cwd, env, deleteFolder: cwd }),
      );
    },
  },
  python: {
    list: 'requirements.txt',
    result: 'bin',
    mark: 'complete',
    prefix: '',
    async install({ source, folder, env, name }) {
      const python = onPath('python3', env['PATH']);
      if (python === undefined)
        throw new StartFailure(`${name} needs python3 (3.10 or newer) on PATH.`);
      // A Python environment cannot be moved, so a marker file shows that it is complete.
      await rm(folder, { recursive: true, force: true });
      await run(name, python, ['-m', 'venv', folder], {});
      const list = join(source, 'requirements.txt');
      await run(
        name,
        join(folder, 'bin', 'pip'),
        ['install', '--quiet', '--no-deps', '-r', list],
        {},
      );

      await writeFile(join(folder, 'complete.new'), '');
      await rename(join(folder, 'complete.new'), join(folder, 'complete'));
    },
  },
};

/** Installs into a new folder with copies of `files`. `folder` appears atomically. */
async function inNewFolder(
  folder: string,
  source: string,
  files: readonly string[],
  install: (unfinished: string) => Promise<void>,
): Promise<void> {
  const unfinished = await mkdtemp(`${folder}-unfinished-`);
  try {
    for (const file of files) await cp(join(source, file), join(unfinished, file));
    await install(unfinished);
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * Installs a tool once for this machine (`cacheFolder`), in a folder named by the digest of its
 * lock file. Returns `node_modules`, the folder of Java archives, or the programs of a Python
 * environment. Runs no npm install scripts.
 * @throws StartFailure if it cannot be installed
 */
export async function toolFolder(
  name: keyof typeof TOOLS,
  log: Log,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const { kind, from } = TOOLS[name];
  const { list, result, mark, prefix, install } = KINDS[kind];
  const source = join(import.meta.dirname, from);
  const digest = createHash('sha256')
    .update(await readFile(join(source, list)))
    .digest('hex')
    .slice(0, 12);

  const folder = join(cacheFolder(env), `${prefix}${name}-${digest}`);
  const isComplete = () => existsSync(join(folder, mark));
  if (!isComplete()) {
    await mkdir(cacheFolder(env), { recursive: true });
    await withLock(`${folder}.lock`, {
      onWait: (pid) => log(`Waiting for process ${pid}, which is installing ${name}…`),
      async work() {
        if (isComplete()) return;
        log(`Installing ${name}, once for this machine…`);
        await install({ source, folder, env, name });
      },
    });
  }

  return join(folder, result);
}

/** @throws StartFailure with the last output of a failed step */
async function run(
  name: string,
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; deleteFolder?: string },
): Promise<void> {
  const lines: string[] = [];
  const output = (line: string): void => void lines.push(line);
  const child = await startGuarded({ ...options, command, args, output, stopSignal: 'KILL' });
  const { code } = await child.exited;
  const reason = lines.slice(-3).join(' ').slice(0, 300);
  if (code !== 0)
    throw new StartFailure(`${name} cannot be installed: ${reason || 'no reason given'}`);
}
