import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StartFailure } from '../../../platform/start-failure.ts';
import { resolveTemporal, temporalVersion } from '../../../tools/temporal-binary.ts';
import { writeProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let lines: string[];
beforeEach(async () => {
  folder = await temporaryFolder('temporal-binary');
  lines = [];
});
afterEach(async () => rm(folder, { recursive: true }));

const cached = (): string => join(folder, 'cache', `temporal-${temporalVersion}`, 'temporal');

/** Resolves with only our folder on PATH and without the network. */
async function resolve(env: NodeJS.ProcessEnv = {}) {
  return resolveTemporal({
    env: { PATH: join(folder, 'bin'), CARTE_CACHE_DIR: join(folder, 'cache'), ...env },
    log: (line) => lines.push(line),
    downloadPatienceMs: 0,
  });
}

/** A fake Go that "builds" a program slowly enough to meet a second build, and counts its calls. */
async function fakeGo(): Promise<void> {
  await writeProgram(
    join(folder, 'bin', 'go'),
    `echo "$*" >> "${folder}/go-calls"; sleep 0.4; printf '#!/bin/sh\\n' > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"`,
  );
}

test('TEMPORAL_ADDRESS has priority over everything', async () => {
  await writeProgram(join(folder, 'bin', 'temporal'), 'exit 0');
  expect(await resolve({ TEMPORAL_ADDRESS: 'temporal.test:7233' })).toEqual({
    kind: 'address',
    address: 'temporal.test:7233',
  });
});

test('a program on PATH has priority over the cache', async () => {
  await writeProgram(join(folder, 'bin', 'temporal'), 'exit 0');
  await writeProgram(cached(), 'exit 0');
  expect(await resolve()).toEqual({
    kind: 'binary',
    path: join(folder, 'bin', 'temporal'),
    source: 'path',
  });
});

test('a program on PATH that cannot run is skipped silently for the cached one', async () => {
  await writeProgram(join(folder, 'bin', 'temporal'), 'exit 1');
  await writeProgram(cached(), 'exit 0');
  expect(await resolve()).toEqual({ kind: 'binary', path: cached(), source: 'cache' });
  expect(lines).toEqual([]);
});

test('the cache follows XDG_CACHE_HOME and HOME', async () => {
  await writeProgram(
    join(folder, 'x', 'carte', `temporal-${temporalVersion}`, 'temporal'),
    'exit 0',
  );
  await writeProgram(
    join(folder, 'h', '.cache', 'carte', `temporal-${temporalVersion}`, 'temporal'),
    'exit 0',
  );
  const at = async (env: NodeJS.ProcessEnv) => resolve({ CARTE_CACHE_DIR: '', ...env });
  expect(await at({ XDG_CACHE_HOME: join(folder, 'x') })).toMatchObject({ source: 'cache' });
  expect(await at({ HOME: join(folder, 'h') })).toMatchObject({ source: 'cache' });
});

test('Go builds the pinned version once; later calls find it in the cache', async () => {
  await fakeGo();
  expect(await resolve()).toEqual({ kind: 'binary', path: cached(), source: 'build' });
  expect(await resolve()).toEqual({ kind: 'binary', path: cached(), source: 'cache' });
  const calls = await readFile(join(folder, 'go-calls'), 'utf8');
  expect(calls).toBe(
    `install -ldflags=-s -w github.com/temporalio/cli/cmd/temporal@v${temporalVersion}\n`,
  );
  expect(lines).toEqual([expect.stringContaining('Building Temporal')]);
});

test('concurrent runs build once and leave nothing unfinished', async () => {
  await fakeGo();
  const both = await Promise.all([resolve(), resolve()]);
  expect(new Set(both.map((found) => found.kind === 'binary' && found.source))).toEqual(
    new Set(['build', 'cache']),
  );
  expect((await readFile(join(folder, 'go-calls'), 'utf8')).trim().split('\n')).toHaveLength(1);
  expect(await readdir(join(folder, 'cache'))).toEqual([`temporal-${temporalVersion}`]);
});

test('an incomplete file in the cache is replaced, and the lock of a dead process is taken over', async () => {
  await fakeGo();
  await mkdir(join(cached(), '..'), { recursive: true });
  await writeFile(cached(), 'half of a program', { mode: 0o755 });
  await writeFile(join(folder, 'cache', `temporal-${temporalVersion}.lock`), '99999999');
  expect(await resolve()).toMatchObject({ source: 'build' });
  expect(await resolve()).toMatchObject({ source: 'cache' });
});

test('one sentence lists every reason and every remedy when nothing works', async () => {
  await writeProgram(join(folder, 'bin', 'go'), 'echo "no space left on device" >&2; exit 1');
  const failure = await resolve().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartFailure);
  const { message } = failure as StartFailure;
  expect(message).not.toContain('\n');
  for (const part of ['no space left on device', 'PATH', cached(), 'Go', 'TEMPORAL_ADDRESS']) {
    expect(message).toContain(part);
  }
  expect(await readdir(join(folder, 'cache'))).toEqual([]);
});
