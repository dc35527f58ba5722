import { expect, test } from '@jest/globals';
import { startEnvironment } from '../../../tools/start/environment.ts';

test('a start lists all invalid variables together, including those of other processes', () => {
  const wrong = { PORT: 'abc', SYNC_MENU_EVERY: '5x', ERP_URL: 'nowhere' };

  expect(() => startEnvironment(wrong)).toThrow(
    /PORT is "abc"[^]*ERP_URL is "nowhere"[^]*SYNC_MENU_EVERY is "5x"/,
  );
});

test('variables that the start provides itself may be absent or empty', () => {
  expect(startEnvironment({ ERP_URL: '', DATABASE_URL: '', PORT: '8090' }).PORT).toBe(8090);
});
