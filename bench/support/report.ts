import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

/** Returns the upper median. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function p95(values: readonly number[]): number {
  return (
    values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN
  );
}

export type Row = {
  what: string;
  measured: string;
  yardstick: string;
  ratio: number | null;
  bar: string;
  reached: boolean;
};

/** Writes the rows and the machine's size to `bench/results/<name>.json`. */
export async function report(name: string, rows: readonly Row[], details: object): Promise<void> {
  console.table(
    rows.map((row) => ({
      ...row,
      ratio: row.ratio === null ? '' : row.ratio.toFixed(2),
      reached: row.reached ? 'yes' : 'NO',
    })),
  );

  const folder = new URL('../results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };

  await writeFile(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ at: new Date().toISOString(), machine, rows, details }, null, 2)}\n`,
  );

  console.log(`written to bench/results/${name}.json`);
}
