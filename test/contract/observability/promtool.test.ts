import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { resolvePromtool } from '../../../packages/dev/programs/prometheus-binaries.ts';
import { writeProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('promtool');
});
afterEach(async () => rm(folder, { recursive: true }));

/** Resolves with nothing on PATH but our own programs and what a shell needs. */
const resolve = (isMandatory = false) =>
  resolvePromtool({
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, CARTE_CACHE_DIR: join(folder, 'cache') },
    log: () => undefined,
    isMandatory,
  });
const program = (name: string, script: string) => writeProgram(join(folder, 'bin', name), script);
const unpacks = `mkdir -p "$3/usr/bin"; printf '#!/bin/sh\\n' > "$3/usr/bin/promtool"; chmod +x "$3/usr/bin/promtool"`;
const cached = () => join(folder, 'cache', 'promtool-1', 'promtool');

test('is taken out of the package of Debian, once', async () => {
  await program('apt-get', `echo "$*" >> ${folder}/calls; touch prometheus_1_all.deb`);
  await program('dpkg-deb', unpacks);

  expect(await resolve()).toEqual({ path: cached(), source: 'package' });
  expect(await resolve()).toEqual({ path: cached(), source: 'cache' });
});

test('without lists of packages it fetches lists of its own', async () => {
  await program(
    'apt-get',
    `case "$*" in "download prometheus") echo none; exit 100;; *update) touch lists;; *) test -e lists && touch prometheus_1_all.deb;; esac`,
  );
  await program('dpkg-deb', unpacks);

  expect(await resolve()).toEqual({ path: cached(), source: 'package' });
});

test('only when it is mandatory it is built with Go, and reasons are given when nothing works', async () => {
  await program('apt-get', 'echo "no network" >&2; exit 100');
  await program('go', `test "$1" = get || { printf '#!/bin/sh\\n' > promtool; chmod +x promtool; }`);

  expect(await resolve()).toEqual({ path: cached(), reasons: [expect.stringContaining('no network')] });
  expect(await resolve(true)).toEqual({ path: cached(), source: 'build' });
});
