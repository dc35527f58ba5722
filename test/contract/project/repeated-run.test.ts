import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Ends like a test that passes only on a quiet machine. */
const FIRST_TIME_FAILS = `
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
test('second time', () => {
  const isSecond = existsSync(import.meta.filename + '.seen');
  writeFileSync(import.meta.filename + '.seen', '');
  expect(isSecond).toBe(true);
});`;
const constant = (passes: boolean) => `
import { expect, test } from '@jest/globals';
test('${passes ? 'passes' : 'fails'}', () => { expect(${passes}).toBe(true); });`;

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('repeated');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The exit code and the output of `npm test` over these files. */
async function run(name: string, files: Record<string, string>): Promise<{ code: number; output: string }> {
  const tests = join(folder, name);
  await mkdir(tests);
  for (const [file, text] of Object.entries(files)) await writeFile(join(tests, `${file}.test.ts`), text);
  const config = join(tests, 'jest.config.mjs');
  await writeFile(
    config,
    `import base from '${root}jest.config.mjs';
     export default { ...base, rootDir: '${root}', roots: ['${tests}'], testMatch: ['${tests}/*.test.ts'] };`,
  );
  return new Promise((resolve) => {
    execFile(process.execPath, ['packages/dev/test.ts', `--config=${config}`], { cwd: root }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout }),
    );
  });
}

/** More files than are repeated. */
const passing = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, constant(true)]));

test('a failed file runs again alone, and its second result counts', async () => {
  const { code, output } = await run('few', { ...passing, loaded: FIRST_TIME_FAILS, wrong: constant(false) });

  expect(output).toMatch(/Failed under load, once more alone:\n(.*\n)?.*loaded\.test\.ts › second time/);
  expect(output).toMatch(/Failed:\n {2}.*wrong\.test\.ts › fails\n6 passed, 1 failed\n$/);
  expect(code).toBe(1);
});

test('more than five failed files are not repeated', async () => {
  const wrong = Object.fromEntries([1, 2, 3, 4, 5].map((value) => [`wrong${value}`, constant(false)]));
  const { code, output } = await run('many', { ...passing, ...wrong, loaded: FIRST_TIME_FAILS });

  expect(output).not.toContain('once more alone');
  expect(output).toMatch(/5 passed, 6 failed\n$/);
  expect(code).toBe(1);
});
