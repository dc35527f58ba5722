import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BINDINGS } from './bindings.ts';
import { ERRORS } from './errors.ts';
import { LIMITS } from './limits.ts';
import { STATES } from './states.ts';
import { startWorld, type SyncProduct } from './world.ts';

let world: SyncProduct;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world?.stop());

describe.each([
  { table: 'states', rules: STATES },
  { table: 'bindings', rules: BINDINGS },
  { table: 'errors', rules: ERRORS },
  { table: 'limits', rules: LIMITS },
])('$table', ({ rules }) => {
  test.each(rules)('$id: $rule', async ({ show }) => {
    expect.hasAssertions();
    await show(world);
  });
});
