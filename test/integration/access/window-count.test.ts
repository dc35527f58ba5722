import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countInWindow, takeBack } from '../../../kernel/window-count.ts';
import { migratedDatabase } from '../../support/database.ts';
import {} from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test('[ORD-71] counts and their reversals never deadlock, in any order of the limits', async () => {
  const limits = Array.from({ length: 8 }, (_, at) => ({
    kind: 'test',
    of: String(at),
    most: 1_000,
  }));
  await countInWindow(database.db, 900, limits);
  const acts = Array.from({ length: 600 }, (_, at) =>
    at % 2 === 0
      ? countInWindow(database.db, 900, limits)
      : takeBack(database.db, { all: [], one: limits.toReversed() }),
  );
  const refused = (await Promise.allSettled<unknown>(acts)).filter(
    ({ status }) => status === 'rejected',
  );

  expect(refused).toEqual([]);
  expect(
    await database.db.db
      .selectFrom('window_count')
      .select((row) => ['times', row.fn.countAll<number>().as('keys')])
      .groupBy('times')
      .execute(),
  ).toEqual([{ times: 1, keys: 8 }]);
});
