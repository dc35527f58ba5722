import { afterAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { anyOf } from '../../../platform/db/database.ts';
import { compileOnce } from '../../../platform/db/compile-once.ts';
import { migratedDatabase } from '../../support/database.ts';

const database = await migratedDatabase();
const { db } = database;
afterAll(() => database.close());

describe('a statement that is compiled once', () => {
  test('uses the values of each run, including lists, null and repeated values', async () => {
    let built = 0;
    const statement = compileOnce(
      (tx, { keys, word }: { keys: readonly number[]; word: string | null }) => {
        built += 1;
        return tx.db
          .selectNoFrom([
            sql<boolean>`2 = ${anyOf(keys)}`.as('hasTwo'),
            sql<string | null>`${word}::text`.as('word'),
            sql<boolean>`${word}::text is null`.as('isNothing'),
          ])
          .where(sql<boolean>`${'always'}::text = 'always'`);
      },
    );

    expect(await statement(db, { keys: [1, 2], word: 'one' })).toEqual([
      { hasTwo: true, word: 'one', isNothing: false },
    ]);
    expect(await statement(db, { keys: [], word: null })).toEqual([
      { hasTwo: false, word: null, isNothing: true },
    ]);
    const inside = await db.prepared.transaction((tx) => statement(tx, { keys: [2], word: 'two' }));
    expect(inside).toEqual([{ hasTwo: true, word: 'two', isNothing: false }]);
    expect(built).toBe(1);
  });

  test('fails if its builder has read a value that does not reach it', async () => {
    const statement = compileOnce((tx, { isLong }: { isLong: boolean }) =>
      tx.db.selectNoFrom(sql<string>`${isLong ? 'long' : 'short'}::text`.as('word')),
    );

    await expect(statement(db, { isLong: false })).rejects.toThrow(
      'The value isLong does not reach the statement',
    );
  });
});
