import { rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/**
 * `build-bundle.ts <file>`: writes the bundle of all workflows atomically. Fails if a workflow
 * imports a module that the sandbox forbids.
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: build-bundle.ts <file>');

const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/bundle.ts', import.meta.url)),
  workflowInterceptorModules: [
    fileURLToPath(new URL('../workflows/support/interceptors.ts', import.meta.url)),
  ],
  logger: new DefaultLogger('WARN'),
  // Halves the memory: the sandbox keeps code and source map.
  webpackConfigHook: (config) => ({
    ...config,
    mode: 'production',
    optimization: { minimize: false },
    devtool: 'inline-nosources-source-map',
  }),
});

const unfinished = `${file}.${process.pid}`;
await writeFile(unfinished, code);
await rename(unfinished, file);
