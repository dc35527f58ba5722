/**
 * Folders of test/workshop with the paths whose change makes `npm test` run them. Otherwise `npm
 * run test:all` is enough. They test developer tools, and screens in a browser whose wiring
 * test/e2e proves.
 */
export const WORKSHOPS: Readonly<Record<string, readonly string[]>> = {
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
  openapi: [
    'api/http/documents/',
    'api/openapi/',
    'packages/dev/generate/openapi.ts',
    'packages/dev/openapi/',
    'test/support/released-description.ts',
    'test/workshop/openapi/',
  ],
  console: [
    'packages/console/',
    'packages/client/',
    'tools/built-site.ts',
    'test/workshop/console/',
  ],
  'console-browser': [
    'api/admin/',
    'packages/client/',
    'packages/console/',
    'test/e2e/console/',
    'test/support/browser.ts',
    'test/workshop/console-browser/',
    'tools/built-site.ts',
  ],
  shop: [
    'api/storefront/',
    'examples/storefront/',
    'packages/client/',
    'packages/demo/',
    'packages/erp-emulator/customers/',
    'test/e2e/shop/',
    'test/support/browser.ts',
    'test/workshop/shop/',
    'tools/built-site.ts',
  ],
  start: ['packages/demo/', 'test/support/starts.ts', 'test/workshop/start/', 'tools/'],
  runs: ['packages/dev/', 'tools/', 'jest.config.mjs', 'test/support/jest/', 'test/workshop/runs/'],
};

/**
 * Returns workshops without a changed input. None if `changed` is undefined, because git cannot
 * compare.
 */
export function unchangedWorkshops(changed: readonly string[] | undefined): string[] {
  if (changed === undefined) return [];
  const isChanged = (inputs: readonly string[]): boolean =>
    changed.some((file) => inputs.some((input) => file.startsWith(input)));

  return Object.keys(WORKSHOPS).filter(
    (name) => !isChanged([...WORKSHOPS[name]!, 'package-lock.json']),
  );
}
