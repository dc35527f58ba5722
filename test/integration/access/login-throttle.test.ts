import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clearLoginAttempts, countLoginAttempt } from '../../../modules/access/login-throttle.ts';
import { migratedDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

const attempts = (
  number: number,
  attempt: { account: string; address: string; browserId: string | null },
) =>
  Promise.allSettled(Array.from({ length: number }, () => countLoginAttempt(database.db, attempt)));
const passed = (results: readonly PromiseSettledResult<void>[]) =>
  results.filter((result) => result.status === 'fulfilled').length;

test('[ORD-71] as many concurrent guesses pass as sequential ones', async () => {
  const attempt = { account: 'cook@example.org', address: '192.0.2.1', browserId: null };

  expect(passed(await attempts(30, attempt))).toBe(10);
  await clearLoginAttempts(database.db, attempt);
  expect(passed(await attempts(1, attempt))).toBe(1);
});

test('[ACC-29] guesses of one network use at most its own budget of the attempts of its site', async () => {
  const guess = (network: number, at: number) =>
    attempts(1, {
      account: `guess${at}@example.org`,
      address: `2001:db8:9:${network}::/64`,
      browserId: null,
    });
  const flood = [];
  for (let at = 0; at < 260; at += 1) flood.push(...(await guess(1, at)));

  expect(passed(flood)).toBe(50);
  expect(passed(await guess(2, 1_000))).toBe(1);
});
