import { isUtf8 } from 'node:buffer';
import { readSheet } from '../../../modules/catalog/texts/read-sheet.ts';
import { cpuLap } from '../../../test/support/cpu-time.ts';
import { median, type Row } from '../report.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const ROWS = 20_000;
/** Rule CAT-57. */
const LIMIT_MS = 100;

const SHEETS: Readonly<Record<string, string>> = {
  'full rows': `id,name\n${`7,${'я'.repeat(370)}\n`.repeat(ROWS)}`,
  'quoted cells': `id,name\n${`7,"${'я""'.repeat(150)}"\n`.repeat(ROWS)}`,
  'one cell of 8 million characters': `id,name\n7,"${'я'.repeat(8_000_000)}"\n`,
  '4 million empty cells': `id,name\n${`${','.repeat(199)}\n`.repeat(ROWS)}`,
};

/** Measures the longest work between two turns of the event loop. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const workOf = cpuLap();
  let [longest, isOver] = [0, false];
  const turn = () => {
    longest = Math.max(longest, workOf());
    if (!isOver) setImmediate(turn);
  };

  setImmediate(turn);
  await work();
  isOver = true;

  return Math.max(longest, workOf());
}

/** Measures how long the largest sheets delay other requests. Baseline: conversion to text. */
export async function measureSheet(): Promise<Row[]> {
  const rows: Row[] = [];

  for (const [name, text] of Object.entries(SHEETS)) {
    const bytes = Buffer.from(text);
    const [turns, yardsticks]: [number[], number[]] = [[], []];

    for (let round = 0; round < ROUNDS; round += 1) {
      turns.push(await longestTurn(() => readSheet(bytes)));
      const workOf = cpuLap();
      if (isUtf8(bytes)) bytes.toString();
      yardsticks.push(workOf());
    }

    const longest = median(turns);
    rows.push({
      what: `a sheet with ${name} (${ROUNDS} rounds)`,
      measured: `longest work between two turns ${longest.toFixed(1)} ms`,
      yardstick: `conversion to text ${median(yardsticks).toFixed(1)} ms`,
      ratio: longest / median(yardsticks),
      bar: `≤ ${LIMIT_MS} ms`,
      reached: longest <= LIMIT_MS,
    });
  }

  return rows;
}
