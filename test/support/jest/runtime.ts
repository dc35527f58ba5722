import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { offerGlobals, type Globals } from './globals.ts';

const require = createRequire(import.meta.url);
const GLOBALS = new URL('globals.ts', import.meta.url).href;
/** The symbol of jest-circus for its listeners between two loads of itself. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

// Outside of jest's own realm the package `@jest/globals` only throws.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

/**
 * The part of jest-runtime that its test runner calls, on Node's own modules: a file of the product
 * is loaded once for all test files of a process, from Node's compile cache. What this gives up is
 * not used here: mocks of modules, coverage, transforms.
 */
export default class PlainRuntime {
  /** jest-circus, loaded again for each test file, because it stores the declared tests. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
    return require(path);
  }

  setGlobalsForRuntime(globals: Globals): void {
    offerGlobals(globals);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<unknown> {
    return import(pathToFileURL(path).href);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  getSourceMaps(): Map<string, string> {
    return new Map();
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}
