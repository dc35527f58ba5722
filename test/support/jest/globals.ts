/** The exports of `@jest/globals`. */
export type Globals = Record<string, Function & Record<string, unknown>>;

let current: Globals = {};

/** Sets the functions with which the next loaded test file declares its tests. */
export function offerGlobals(globals: Globals): void {
  current = globals;
}

/** A global of the running test file: this module outlives it. */
const live = (name: string) =>
  new Proxy(() => undefined, {
    apply: (_target, thisArg, args) => Reflect.apply(current[name]!, thisArg, args),
    get: (_target, key) => Reflect.get(current[name]!, key),
  });

export const afterAll = live('afterAll');
export const afterEach = live('afterEach');
export const beforeAll = live('beforeAll');
export const beforeEach = live('beforeEach');
export const describe = live('describe');
export const expect = live('expect');
export const it = live('it');
export const test = live('test');
