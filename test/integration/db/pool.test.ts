import { expect, test } from '@jest/globals';
import { problemOfError } from '../../../api/http/error-problem.ts';
import { openDatabase } from '../../../db/database.ts';
import { testDatabase } from '../../support/postgres.ts';

test('an exhausted pool is an error that says the service is unavailable, not a wait for ever', async () => {
  const { url, drop } = await testDatabase();
  const db = await openDatabase({ url, poolSize: 1, connectTimeoutMs: 200 });
  try {
    await db.transaction(async () => {
      const failures = await Promise.all(
        [db.query('select 1'), db.transaction((tx) => tx.query('select 1')), db.transaction(async () => [])].map(
          (each) => each.catch((error: unknown) => error),
        ),
      );
      expect(failures.map((each) => problemOfError(each).problem.kind)).toEqual(Array(3).fill('unavailable'));
    });
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    await db.close();
    await drop();
  }
});
