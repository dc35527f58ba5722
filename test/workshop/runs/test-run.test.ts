import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('test-run');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns exit code and output of `npm test` over these bodies. */
async function run(
  name: string,
  bodies: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const tests = join(folder, name, 'test', 'unit');
  await mkdir(tests, { recursive: true });
  for (const [file, body] of Object.entries(bodies)) {
    const text = `import { describe, expect, test } from '@jest/globals';\n${body}`;
    await writeFile(join(tests, `${file}.test.ts`), text);
  }
  const config = join(folder, name, 'jest.config.mjs');
  await writeFile(
    config,
    `import base from '${root}jest.config.mjs';
     const own = (path) => path.replace('<rootDir>', '${root}');
     export default {
       ...base,
       rootDir: '${join(folder, name)}',
       testMatch: ['<rootDir>/test/**/*.test.ts'],
       testEnvironment: own(base.testEnvironment),
       testRunner: own(base.testRunner),
       testSequencer: own(base.testSequencer),
       reporters: base.reporters.map(own),
     };`,
  );
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['packages/dev/test.ts', `--config=${config}`],
      { cwd: root },
      (error, stdout) => resolve({ code: Number(error?.code ?? 0), output: stdout }),
    );
  });
}

const PASSES = `test('passes', () => { expect(1).toBe(1); });`;

describe('a run of tests', () => {
  test('prints levels, the slowest tests, then the failures, then the totals', async () => {
    const passing = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, PASSES]));
    const { code, output } = await run('many', {
      ...passing,
      wrong: `test('fails', () => { expect(1).toBe(2); });`,
    });

    const parts = [
      /^Level +Files +Tests/m,
      /^unit +6 +6 +1/m,
      /^Slowest tests/m,
      /Expected: 2/,
      /^Failed:/m,
      /5 passed, 1 failed\n$/,
    ];
    const places = parts.map((part) => output.search(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(code).toBe(1);
  });

  test.each([
    ['an assertion', `test('wrong', () => { expect({ a: 1 }).toEqual({ a: 2 }); });`, /"a": 2/],
    [
      'a time-out',
      `test('endless', () => new Promise(() => {}), 50);`,
      /Exceeded timeout of 50 ms/,
    ],
    [
      'a rejection that no code awaits',
      `test('stray', async () => { Promise.reject(new Error('lost')); await new Promise((done) => setTimeout(done, 20)); });`,
      /● stray\s+lost/,
    ],
    [
      'an error of a timer',
      `test('late', async () => { setTimeout(() => { throw new Error('lost'); }); await new Promise((done) => setTimeout(done, 20)); });`,
      /● late\s+lost/,
    ],
    [
      'no assertion where some are promised',
      `test('silent', () => { expect.hasAssertions(); });`,
      /received none/,
    ],
    [
      'a hook',
      `import { beforeAll } from '@jest/globals'; beforeAll(() => { throw new Error('hook'); });\n${PASSES}`,
      /hook/,
    ],
    ['a file that cannot be loaded', `import './missing.ts';`, /could not run/],
    ['no test at all', ``, /could not run|must contain at least one test/],
  ])('fails because of %s', async (reason, body, message) => {
    const { code, output } = await run(reason.replaceAll(' ', '-'), { one: body });

    expect(output).toMatch(message);
    expect(output).toMatch(/\d passed, 1 failed\n$/);
    expect(code).toBe(1);
  });

  test('counts tests of tables and skipped tests, and starts no server for unit tests', async () => {
    const { code, output } = await run('mixed', {
      one: `describe.each([1, 2])('block %i', (n) => { test.each([[n], [n + 1]])('row %i', (m) => { expect(m).toBeGreaterThan(0); }); });
            test.skip('skipped', () => {});`,
    });

    expect(output).toMatch(/4 passed, 0 failed, 1 skipped\n$/);
    expect(code).toBe(0);
  });
});
