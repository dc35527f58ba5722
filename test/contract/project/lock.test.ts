import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { missingOptionals, withoutChecksum } from '../../../tools/complete-lock.mjs';
import { root } from '../../support/processes.ts';

type Lock = {
  packages: Record<
    string,
    { optionalDependencies?: Record<string, string>; integrity?: string; resolved?: string }
  >;
};

test('the lock file contains the programs of every platform of its packages', async () => {
  const lock = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8')) as Lock;
  const naming = Object.values(lock.packages).filter(
    (entry) => entry.optionalDependencies !== undefined,
  );

  expect(naming.length).toBeGreaterThan(5);
  expect(missingOptionals(lock)).toEqual([]);
});

test('[OPS-66] every package has a checksum, also those of other platforms, so `npm ci` checks all', async () => {
  const lock = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8')) as Lock;
  const digests = Object.values(lock.packages).flatMap(({ integrity }) => integrity ?? []);

  expect(digests.length).toBeGreaterThan(500);
  expect(digests.filter((digest) => !/^sha512-[\w+/]{86}==$/.test(digest))).toEqual([]);
  expect(withoutChecksum(lock)).toEqual([]);
  expect(withoutChecksum({ packages: { 'node_modules/odd': { version: '1.0.0' } } })).toHaveLength(
    1,
  );
});

test('the lock file contains no registry, and every workspace shares the packages of the root', async () => {
  const { packages } = JSON.parse(await readFile(`${root}package-lock.json`, 'utf8')) as Lock;
  const workspaces = Object.keys(packages).filter((path) => /^(?:packages|examples)\//.test(path));
  const resolved = Object.values(packages).flatMap((entry) => entry.resolved ?? []);

  expect(resolved.toSorted()).toEqual(workspaces);
  expect(workspaces).toEqual([
    'examples/storefront',
    'packages/client',
    'packages/console',
    'packages/create-carte-shop',
    'packages/demo',
    'packages/dev',
    'packages/docs-site',
    'packages/erp-emulator',
  ]);
});
