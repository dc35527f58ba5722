import { flushCompileCache } from 'node:module';
import { ModuleMocker } from 'jest-mock';

/** Jest puts a function that complains in its place, for each file around the former one. */
const exit = process.exit.bind(process);

/**
 * Jest's environment without a realm of its own: tests run in the globals of their process, as the
 * product does. A realm for each file would load and compile the product, its ORM and Temporal's
 * client again for each of them (docs/decisions/0042-tests.md).
 */
export default class PlainEnvironment {
  readonly global = globalThis;
  /** Jest's own runtime, which loads no module here, demands one. */
  readonly moduleMocker = new ModuleMocker(globalThis);

  /** Jest replaces the console of this process with one for the file. */
  readonly #console = console;

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    process.exit = exit;
    globalThis.console = this.#console;
    // Node would write what it has compiled when the process ends: seconds in a fresh clone, and
    // jest kills a process that needs half of one.
    flushCompileCache();
  }

  getVmContext(): null {
    return null;
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }
}
