import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = new URL('../../../platform/restart-with.ts', import.meta.url).href;
/** Prints its final process and options. */
const PROGRAM = `
  import { restartWith } from '${MODULE}';
  restartWith(['--min-semi-space-size=4', '--max-semi-space-size=16'], { TOLD: 'yes' });
  console.log(JSON.stringify({ pid: process.pid, options: process.execArgv.filter((each) => each.startsWith('--m')), told: process.env.TOLD ?? null }));
`;

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await temporaryFolder('restart-with');
  program = join(folder, 'program.ts');
  await writeFile(program, PROGRAM);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(nodeArgs: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const running = promisify(execFile)(process.execPath, [...nodeArgs, program], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  const { stdout } = await running;
  const { pid, ...told } = JSON.parse(stdout);
  return { isSameProcess: pid === running.child.pid, ...told };
}

test('[OPS-59] a program restarts itself in its process with settings of V8 and of the environment', async () => {
  expect(await run([])).toEqual({
    isSameProcess: true,
    options: ['--min-semi-space-size=4', '--max-semi-space-size=16'],
    told: 'yes',
  });
});

test.each([
  [
    'on the command line',
    ['--max_semi_space_size=8'],
    {},
    ['--max_semi_space_size=8', '--min-semi-space-size=4'],
  ],
  ['in NODE_OPTIONS', [], { NODE_OPTIONS: '--max-semi-space-size=8' }, ['--min-semi-space-size=4']],
])('[OPS-59] settings of the operator %s are kept', async (_, nodeArgs, env, options) => {
  expect(await run(nodeArgs, env)).toEqual({ isSameProcess: true, options, told: 'yes' });
});

test('[OPS-59] settings of the environment are added only if the operator has not set them', async () => {
  const everything = ['--min-semi-space-size=2', '--max-semi-space-size=8'];

  expect(await run(everything)).toEqual({ isSameProcess: true, options: everything, told: 'yes' });
  expect(await run([], { TOLD: 'by the operator' })).toMatchObject({ told: 'by the operator' });
  expect(await run(everything, { TOLD: 'by the operator' })).toMatchObject({
    options: everything,
    told: 'by the operator',
  });
});
