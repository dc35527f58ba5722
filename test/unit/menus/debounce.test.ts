import { expect, test } from '@jest/globals';
import { waitForPauseMs } from '../../../modules/menus/rebuilds/rules/debounce.ts';

test.each([
  ['waits for a pause after the first change', 0, 5_000],
  ['waits for a pause after a later change', 20_000, 5_000],
  ['waits no longer than the maximum after the first change', 27_000, 3_000],
  ['builds at the maximum', 30_000, 0],
  ['builds past the maximum', 31_000, 0],
])('a rebuild %s', (_, sinceFirstMs, waitMs) => {
  expect(waitForPauseMs({ debounceMs: 5_000, debounceMaxMs: 30_000 }, sinceFirstMs)).toBe(waitMs);
});
