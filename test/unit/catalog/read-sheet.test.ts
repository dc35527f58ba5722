import { isUtf8 } from 'node:buffer';
import { describe, expect, test } from '@jest/globals';
import { readSheet } from '../../../modules/catalog/texts/read-sheet.ts';
import { cpuLap } from '../../support/cpu-time.ts';

/**
 * Counts the turns of the event loop that other requests have during `work`, on a clock on which
 * every step takes longer than the work between two turns.
 */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const now = performance.now.bind(performance);
  let [time, turns, isOver] = [0, 0, false];
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  performance.now = () => (time += 1_000);
  setImmediate(turn);
  try {
    await work();
  } finally {
    isOver = true;
    performance.now = now;
  }
  return turns;
}

const ROWS = 20_000;

describe('[CAT-57] a sheet of the allowed size', () => {
  test.each([
    ['full rows', `7,${'я'.repeat(370)}\n`, ROWS],
    ['quoted cells', `7,"${'я""'.repeat(150)}"\n`, ROWS],
    ['rows of empty cells', `${','.repeat(199)}\n`, 0],
  ])('lets other requests run after each of 20,000 %s', async (_, line, rows) => {
    const bytes = Buffer.from(`id,name\n${line.repeat(ROWS)}`);
    let read: number | undefined;
    const turns = await turnsDuring(async () => {
      read = (await readSheet(bytes)).rows.length;
    });

    expect(read).toBe(rows);
    expect(turns).toBeGreaterThanOrEqual(ROWS);
  });

  test('costs little more than its conversion to text if one cell fills it', async () => {
    const bytes = Buffer.from(`id,name\n7,"${'я'.repeat(8_000_000)}"\n`);
    const cpuOf = async (work: () => unknown) => {
      const cpu = cpuLap();
      await work();
      return cpu();
    };
    const toText = () => isUtf8(bytes) && bytes.toString().replace(/^\uFEFF/, '');
    await cpuOf(toText);
    const yardstick = await cpuOf(toText);
    const cpu = await cpuOf(() => readSheet(bytes));

    expect(await readSheet(bytes)).toMatchObject({
      rows: [],
      errors: [{ row: 2, code: 'max_length' }],
    });
    expect(cpu).toBeLessThan(10 * yardstick);
  });
});
