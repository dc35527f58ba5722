import { flushCompileCache } from 'node:module';
import { ModuleMocker } from 'jest-mock';

/** Jest replaces `process.exit` for each file, so the original is kept. */
const exit = process.exit.bind(process);

/**
 * A Jest environment without a realm: tests run in the globals of their process. A realm per file
 * would load the product, its ORM and Temporal's client again (docs/decisions/0042-tests.md).
 */
export default class PlainEnvironment {
  readonly global = globalThis;
  /** Required by Jest's own runtime. */
  readonly moduleMocker = new ModuleMocker(globalThis);

  /** Jest replaces the console for each file. */
  readonly #console = console;

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    process.exit = exit;
    globalThis.console = this.#console;
    // At exit, Node would write its compile cache. That takes seconds in a fresh clone, and Jest
    // kills a process after half a second.
    flushCompileCache();
  }

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }
}
