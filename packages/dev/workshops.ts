import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from './stages.ts';

const run = promisify(execFile);

/**
 * Folders of test/workshop with the paths whose change makes `npm test` run them. They test the
 * tools of developers, so that `npm run test:all` is enough while these paths are as on the main
 * branch.
 */
const WORKSHOPS: Readonly<Record<string, readonly string[]>> = {
  charts: ['ops/helm/', 'packages/dev/kubernetes-schemas/', 'test/workshop/charts/'],
  clients: [
    'api/openapi/',
    'examples/storefront/',
    'packages/client/',
    'packages/dev/client-types.ts',
    'packages/dev/kotlin-client/',
    'packages/dev/openapi-generator/',
    'packages/dev/python-client/',
    'test/workshop/clients/',
  ],
  demo: ['packages/demo/', 'packages/erp-emulator/', 'tools/start/', 'test/workshop/demo/'],
  'docs-site': ['docs/', 'packages/docs-site/', 'tools/built-site.ts', 'test/workshop/docs-site/'],
  openapi: ['packages/dev/openapi/', 'packages/dev/generate/openapi.ts', 'test/workshop/openapi/'],
  runs: ['packages/dev/', 'tools/', 'jest.config.mjs', 'test/support/jest/', 'test/workshop/runs/'],
};

/** The main branch: of the origin, or of a checkout without one. */
const MAIN = ['origin/main', 'main'];

/**
 * Returns the names of the workshops whose inputs equal the last commit of the main branch. None
 * where git cannot compare them, for example in an unpacked archive.
 */
export async function unchangedWorkshops(): Promise<string[]> {
  const changed = await changedFiles();
  if (changed === undefined) return [];
  const isChanged = (inputs: readonly string[]): boolean =>
    changed.some((file) => inputs.some((input) => file.startsWith(input)));
  return Object.keys(WORKSHOPS).filter((name) => !isChanged([...WORKSHOPS[name]!, 'package-lock.json']));
}

/** Paths that differ from the main branch, untracked ones included; undefined without git. */
async function changedFiles(): Promise<string[] | undefined> {
  const git = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 2 ** 20 });
    return stdout.split('\n').filter((line) => line !== '');
  };
  for (const branch of MAIN) {
    const base = await git('merge-base', 'HEAD', branch).catch(() => []);
    if (base.length === 0) continue;
    return [
      ...(await git('diff', '--name-only', base[0]!)),
      ...(await git('ls-files', '--others', '--exclude-standard')),
    ];
  }
  return undefined;
}
