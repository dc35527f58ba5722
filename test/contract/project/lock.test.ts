import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { missingOptionals } from '../../../tools/complete-lock.mjs';
import { root } from '../../support/processes.ts';

type Lock = { packages: Record<string, { optionalDependencies?: Record<string, string> }> };

test('the lock file holds the programs of every platform that its packages name', async () => {
  const lock = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8')) as Lock;
  const naming = Object.values(lock.packages).filter((each) => each.optionalDependencies !== undefined);

  expect(naming.length).toBeGreaterThan(5);
  expect(missingOptionals(lock)).toEqual([]);
});
