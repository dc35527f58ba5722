import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BINDINGS } from './bindings.ts';
import { ERRORS } from './errors.ts';
import { LIMITS } from './limits.ts';
import { STATES } from './states.ts';
import { startFixture, type SyncProduct } from './fixture.ts';

let fixture: SyncProduct;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(async () => fixture?.stop());

describe.each([
  { table: 'states', rules: STATES },
  { table: 'bindings', rules: BINDINGS },
  { table: 'errors', rules: ERRORS },
  { table: 'limits', rules: LIMITS },
])('$table', ({ rules }) => {
  test.each(rules)('$id: $rule', async ({ show }) => {
    expect.hasAssertions();
    await show(fixture);
  });
});
