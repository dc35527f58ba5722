import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { createExchangeLog } from '../../../erp/exchange-log.ts';
import { createLog } from '../../../platform/log.ts';
import { eventually } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('exchange');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const log = createLog({ service: 'test', level: 'silent' });
const entry = {
  connectionId: 1,
  endpoint: '/x',
  status: 200,
  ms: 3,
  bytes: 5,
  request: '{}',
  answer: 'hello',
};

test('one JSON line is written for each exchange, in order, readable only by the owner', async () => {
  const file = join(folder, 'logs', 'exchange.log');
  const exchange = createExchangeLog({ file, log });
  await Promise.all([1, 2, 3].map((connectionId) => exchange.write({ ...entry, connectionId })));
  await exchange.close();
  const lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.connectionId)).toEqual([1, 2, 3]);
  expect(lines[0]).toMatchObject(entry);
  expect((await stat(file)).mode & 0o077).toBe(0);
});

test('[ERP-14] a full file is rotated and only the newest files stay', async () => {
  const file = join(folder, 'exchange.log');
  const exchange = createExchangeLog({ file, log, maxBytes: 300, kept: 2 });
  for (let number = 1; number <= 9; number += 1)
    await exchange.write({ ...entry, connectionId: number });
  expect((await readdir(folder)).sort()).toEqual([
    'exchange.log',
    'exchange.log.1',
    'exchange.log.2',
  ]);
  const text = await Promise.all(
    ['exchange.log.2', 'exchange.log.1', 'exchange.log'].map((name) =>
      readFile(join(folder, name), 'utf8'),
    ),
  );
  const numbers = [...text.join('').matchAll(/"connectionId":(\d+)/g)].map((match) =>
    Number(match[1]),
  );
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(numbers.at(-1)).toBe(9);
  for (const part of text) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(300);
});

test('a log that cannot be written is reported and fails nothing', async () => {
  const warnings: string[] = [];
  const loud = createLog({
    service: 'test',
    level: 'warn',
    destination: { write: (line: string) => void warnings.push(line) },
  });
  const exchange = createExchangeLog({ file: join(folder, 'x'.repeat(300)), log: loud });
  await exchange.write(entry);
  expect(warnings.join('')).toContain('the exchange log cannot be written');
});

test('the file of yesterday is rotated, and a file without writes for a week is deleted', async () => {
  const file = join(folder, 'exchange.log');
  const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000);
  await writeFile(`${file}.1`, 'old');
  await utimes(`${file}.1`, longAgo, longAgo);
  await writeFile(`${file}.2`, 'of this week');
  const exchange = createExchangeLog({ file, log, turnMs: 0 });
  await exchange.write(entry);
  await delay(5);
  await exchange.write({ ...entry, connectionId: 2 });
  await exchange.close();

  expect((await readdir(folder)).toSorted()).toEqual([
    'exchange.log',
    'exchange.log.1',
    'exchange.log.3',
  ]);
  expect(await readFile(`${file}.1`, 'utf8')).toContain('"connectionId":1');
  // Renamed by the rotation.
  expect(await readFile(`${file}.3`, 'utf8')).toBe('of this week');
});

test('an idle log is rotated too', async () => {
  const file = join(folder, 'exchange.log');
  await writeFile(file, 'written by an earlier process');
  const exchange = createExchangeLog({ file, log, keptMs: 20, lookEveryMs: 10 });
  const files = await eventually('the file is deleted', async () => {
    const found = await readdir(folder);
    return found.length === 0 ? found : undefined;
  });
  await exchange.close();
  expect(files).toEqual([]);
});
