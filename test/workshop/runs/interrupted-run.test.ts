import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isAlive } from '../../../tools/lock.ts';
import { root } from '../../support/processes.ts';
import { waitUntil } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('interrupted');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A test that never ends. It records the id of its process and of a process in another group. */
const ENDLESS = `
import { writeFileSync } from 'node:fs';
import { test } from '@jest/globals';
import { startProcess } from '${root}test/support/processes.ts';
test('endless', async () => {
  const { child } = startProcess('sleep', 'sleep', ['300'], process.env);
  writeFileSync(import.meta.filename + '.pids', process.pid + ' ' + child.pid);
  for (;;) await new Promise((resolve) => setTimeout(resolve, 1000));
}, 300_000);`;

/** Resolves when two such files run in separate processes. */
async function endlessRun(): Promise<{
  pid: number;
  exited: Promise<unknown>;
  pids: number[];
  output: () => string;
}> {
  const tests = join(folder, 'tests');
  await mkdir(tests);
  for (const name of ['one', 'other']) await writeFile(join(tests, `${name}.test.ts`), ENDLESS);
  const config = join(folder, 'jest.config.mjs');
  await writeFile(
    config,
    `import base from '${root}jest.config.mjs';
     export default { ...base, rootDir: '${root}', roots: ['${tests}'], testMatch: ['${tests}/*.test.ts'] };`,
  );
  // The soak has one process, but these tests run in two.
  const { SOAK_FACTOR: _ofThisRun, ...env } = process.env;
  const child = spawn(process.execPath, ['packages/dev/test.ts', `--config=${config}`], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  // A file exists a moment before its content.
  const noted = async () => {
    const names = (await readdir(tests)).filter((name) => name.endsWith('.pids'));
    const texts = await Promise.all(names.map((name) => readFile(join(tests, name), 'utf8')));
    return texts.filter((text) => /^\d+ \d+$/.test(text));
  };
  const exited = once(child, 'exit');
  // Prints the reason if the run ends by itself.
  const endedEarly = exited.then(([code]) => {
    throw new Error(`the run has ended with ${String(code)}: ${output}`);
  });
  await Promise.race([
    waitUntil('both tests run', async () => (await noted()).length === 2),
    endedEarly,
  ]).catch((error) => {
    throw new Error(`${String(error)}; the run said: ${output}`, { cause: error });
  });
  const pids = await noted();
  return {
    pid: child.pid!,
    exited,
    pids: pids.flatMap((text) => text.split(' ').map(Number)),
    output: () => output,
  };
}

test.each([
  ['SIGTERM', 'the run was interrupted'],
  ['SIGINT', 'the run was interrupted'],
  // After SIGKILL the run prints nothing, and the guard of its programs gives them ten seconds.
  ['SIGKILL', ''],
] as const)('a test run that %s ends leaves no process', async (signal, lastWords) => {
  const { pid, exited, pids, output } = await endlessRun();
  expect(pids).toHaveLength(4);
  expect(pids.map(isAlive)).toEqual([true, true, true, true]);

  process.kill(pid, signal);
  await exited;

  await waitUntil('every process is gone', () => !pids.some(isAlive));
  expect(output()).toContain(lastWords);
});
