import { changedFiles } from './changed-files.ts';

/** Folders of test/workshop, with the paths whose change makes `npm test` run them. */
const WORKSHOPS: Readonly<Record<string, readonly string[]>> = {
  charts: ['ops/helm/', 'packages/dev/kubernetes-schemas/', 'test/workshop/charts/'],
  clients: [
    'api/openapi/',
    'examples/storefront/',
    'packages/client/',
    'packages/dev/client-types.ts',
    'packages/dev/generate/client.ts',
    'packages/dev/kotlin-client/',
    'packages/dev/openapi-generator/',
    'packages/dev/python-client/',
    'test/workshop/clients/',
  ],
  demo: ['packages/demo/', 'packages/erp-emulator/', 'tools/start/', 'test/workshop/demo/'],
  'docs-site': ['docs/', 'packages/docs-site/', 'tools/built-site.ts', 'test/workshop/docs-site/'],
  openapi: ['packages/dev/openapi/', 'packages/dev/generate/openapi.ts', 'test/workshop/openapi/'],
  console: [
    'packages/console/',
    'packages/client/',
    'tools/built-site.ts',
    'test/workshop/console/',
  ],
  runs: ['packages/dev/', 'tools/', 'jest.config.mjs', 'test/support/jest/', 'test/workshop/runs/'],
};

/** Returns workshops whose inputs equal the main branch. None if git cannot compare. */
export async function unchangedWorkshops(): Promise<string[]> {
  const changed = await changedFiles();
  if (changed === undefined) return [];
  const isChanged = (inputs: readonly string[]): boolean =>
    changed.some((file) => inputs.some((input) => file.startsWith(input)));
  return Object.keys(WORKSHOPS).filter(
    (name) => !isChanged([...WORKSHOPS[name]!, 'package-lock.json']),
  );
}
