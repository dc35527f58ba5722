import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { requireProgram, resolveProgram } from '../../../packages/dev/programs/programs.ts';
import { writeProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('programs');
});
afterEach(async () => rm(folder, { recursive: true }));

/** PATH contains only our programs and those a shell needs. */
const env = () => ({
  PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
  CARTE_CACHE_DIR: join(folder, 'cache'),
});
const resolve = (isMandatory = false) =>
  resolveProgram('promtool', { env: env(), log: () => undefined, isMandatory });
const program = (name: string, script: string) => writeProgram(join(folder, 'bin', name), script);
const unpacks = `mkdir -p "$3/usr/bin"; printf '#!/bin/sh\\n' > "$3/usr/bin/promtool"; chmod +x "$3/usr/bin/promtool"`;
const cached = () => join(folder, 'cache', 'promtool-1', 'promtool');

describe('the program promtool', () => {
  test('comes from the Debian package, once', async () => {
    await program('apt-get', `echo "$*" >> ${folder}/calls; touch prometheus_1_all.deb`);
    await program('dpkg-deb', unpacks);

    expect(await resolve()).toEqual({ path: cached(), source: 'package' });
    expect(await resolve()).toEqual({ path: cached(), source: 'cache' });
  });

  test('comes with lists of its own if there are no lists of packages', async () => {
    await program(
      'apt-get',
      `case "$*" in "download prometheus") echo none; exit 100;; *update) touch lists;; *) test -e lists && touch prometheus_1_all.deb;; esac`,
    );
    await program('dpkg-deb', unpacks);

    expect(await resolve()).toEqual({ path: cached(), source: 'package' });
  });

  test('comes from a Go build only if it is mandatory, with the reasons if nothing works', async () => {
    await program('apt-get', 'echo "no network" >&2; exit 100');
    await program(
      'go',
      `test "$1" = get || { printf '#!/bin/sh\\n' > promtool; chmod +x promtool; }`,
    );

    expect(await resolve()).toEqual({
      path: cached(),
      reasons: [expect.stringContaining('no network')],
    });
    expect(await resolve(true)).toEqual({ path: cached(), source: 'build' });
  });
});

test('a program that Go builds is stored under its usual name', async () => {
  await program(
    'go',
    `printf '#!/bin/sh\\n' > "$GOBIN/sql"; chmod +x "$GOBIN/sql"; echo "$*" > ${folder}/calls`,
  );

  const path = await requireProgram('temporal-sql-tool', { env: env(), log: () => undefined });

  expect(path).toBe(join(folder, 'cache', 'temporal-sql-tool-1.29.1', 'temporal-sql-tool'));
  expect(await readFile(join(folder, 'calls'), 'utf8')).toMatch(
    /^install .*go\.temporal\.io\S+@v1\.29\.1$/m,
  );
});

test('a missing required program is reported in one sentence with reasons and remedies', async () => {
  await program('go', 'echo "no space left on device" >&2; exit 1');

  await expect(
    requireProgram('temporal-server', { env: env(), log: () => undefined }),
  ).rejects.toThrow(
    /^temporal-server 1\.29\.1 is not available \(.*no space left on device\): put it on PATH or at .*, or install Go\.$/,
  );
});

test('a browser is found by any of its names, and installed only if it is mandatory', async () => {
  const chromium = (isMandatory: boolean) =>
    resolveProgram('chromium', {
      env: { ...env(), PATH: join(folder, 'bin') },
      log: () => undefined,
      isMandatory,
    });
  await program('apt-get', `/bin/echo "$*" >> ${folder}/calls; exit 100`);

  expect(await chromium(false)).toMatchObject({
    reasons: [expect.stringContaining('google-chrome')],
  });
  expect(await chromium(true)).toMatchObject({
    reasons: [expect.stringMatching(/^apt-get|^update|^only root/)],
  });
  await program('google-chrome', 'exit 0');
  expect(await chromium(false)).toEqual({
    path: join(folder, 'bin', 'google-chrome'),
    source: 'path',
  });
});
