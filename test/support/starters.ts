import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { toolFolder } from '../../packages/dev/programs/tool-folders.ts';
import { installClient } from './client-package.ts';
import { readCode } from './guide-blocks.ts';

const run = promisify(execFile);

type Starter = {
  tool: 'vite-starter' | 'next-starter';
  /** Creates a project. Arguments follow the project's name. */
  create: readonly [program: string, ...args: string[]];
  page: readonly [file: string, head: string];
  build: readonly (readonly [program: string, ...args: string[]])[];
  /** Serves the project. The option of the port is last. */
  serve: readonly [program: string, ...args: string[]];
};

export const STARTERS = {
  'create-vite': {
    tool: 'vite-starter',
    create: ['create-vite/index.js', '--template', 'react-ts', '--no-interactive'],
    page: ['src/App.tsx', ''],
    build: [
      ['typescript/bin/tsc', '-b'],
      ['vite/bin/vite.js', 'build'],
    ],
    serve: ['vite/bin/vite.js', 'preview', '--host', '127.0.0.1', '--strictPort', '--port'],
  },
  'create-next-app': {
    tool: 'next-starter',
    create: ['create-next-app/dist/index.js', '--yes', '--skip-install', '--disable-git'],
    page: ['app/page.tsx', "'use client';\n"],
    build: [['next/dist/bin/next', 'build']],
    serve: ['next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port'],
  },
} as const satisfies Record<string, Starter>;

/** The default page of `create-next-app` loads fonts from another host. */
const FONTS = ['Geist', 'Geist+Mono'].map(
  (family) => `https://fonts.googleapis.com/css2?family=${family}:wght@100..900&display=swap`,
);
const fontAnswers = `module.exports = ${JSON.stringify(Object.fromEntries(FONTS.map((url) => [url, '/* none */'])))};`;

const quiet = {
  ...process.env,
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NODE_ENV: 'production',
  NODE_OPTIONS: '',
};

async function pageOfGuide(apiUrl: string): Promise<string> {
  const [code] = await readCode('docs/guides/storefront.md', 'tsx');
  return code!.replace('http://127.0.0.1:8080', apiUrl);
}

/**
 * Creates a project with the generator's defaults, inserts the page of the guide and builds it. The
 * project is inside the folder of its packages, where Node and bundlers find them.
 */
export async function buildStarter(
  name: keyof typeof STARTERS,
  apiUrl: string,
  log: (line: string) => void,
): Promise<{ folder: string; serve: (port: number) => readonly string[]; env: NodeJS.ProcessEnv }> {
  const starter: Starter = STARTERS[name];
  const modules = await toolFolder(starter.tool, log);
  const projects = join(dirname(modules), 'projects');
  await mkdir(projects, { recursive: true });
  const parent = await mkdtemp(join(projects, 'shop-'));
  const folder = join(parent, 'shop');
  const fonts = join(parent, 'fonts.cjs');
  const env = { ...quiet, NEXT_FONT_GOOGLE_MOCKED_RESPONSES: fonts };
  try {
    await writeFile(fonts, fontAnswers);
    const [maker, ...args] = starter.create;
    await run(process.execPath, [join(modules, maker), 'shop', ...args], { cwd: parent, env });
    await installClient(folder);
    const [file, head] = starter.page;
    await writeFile(join(folder, file), head + (await pageOfGuide(apiUrl)));
    for (const [program, ...given] of starter.build)
      await run(process.execPath, [join(modules, program), ...given], { cwd: folder, env });
  } catch (error) {
    await rm(parent, { recursive: true, force: true });
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${name} cannot be built: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`, {
      cause: error,
    });
  }
  const [server, ...options] = starter.serve;
  return { folder, env, serve: (port) => [join(modules, server), ...options, String(port)] };
}
