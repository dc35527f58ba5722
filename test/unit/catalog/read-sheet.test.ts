import { expect, test } from '@jest/globals';
import { readSheet } from '../../../modules/catalog/texts/read-sheet.ts';

/** Longest CPU time between two turns of the event loop, in ms. */
function longestTurn(): () => number {
  let [before, longest, isOver] = [process.threadCpuUsage(), 0, false];
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    turn();
    isOver = true;
    return longest;
  };
}

test.each([
  ['20,000 rows', `id,name\n${`7,${'я'.repeat(370)}\n`.repeat(20_000)}`, 20_000],
  ['20,000 quoted cells', `id,name\n${`7,"${'я""'.repeat(150)}"\n`.repeat(20_000)}`, 20_000],
  ['a cell of 8 million characters', `id,name\n7,"${'я'.repeat(8_000_000)}"\n`, 0],
  ['4 million empty cells', `id,name\n${`${','.repeat(199)}\n`.repeat(20_000)}`, 0],
])(
  '[CAT-57] a sheet with %s never delays other requests by more than 100 ms of work',
  async (_, sheet, rows) => {
    const bytes = Buffer.from(sheet);
    const longest = longestTurn();
    const read = await readSheet(bytes);
    const worked = longest();

    expect(read.rows).toHaveLength(rows);
    expect(worked).toBeLessThan(100);
  },
);
