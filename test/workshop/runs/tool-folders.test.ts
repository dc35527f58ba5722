import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { writeProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('tool-folders');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A fake npm that records its calls and does `work` in the folder of the tool. */
async function withNpm(work: string): Promise<NodeJS.ProcessEnv> {
  const npm = join(folder, 'npm.mjs');
  await writeFile(
    npm,
    `import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
     appendFileSync('${folder}/calls', process.argv.slice(2).join(' ') + '\\n');
     ${work}`,
  );
  return { ...process.env, CARTE_CACHE_DIR: join(folder, 'cache'), npm_execpath: npm };
}
const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');

test('concurrent runs install a tool once, from its lock file and without its install scripts', async () => {
  const env = await withNpm(`if (existsSync('package-lock.json')) mkdirSync('node_modules');`);

  const [one, other] = await Promise.all([
    toolFolder('s3rver', () => undefined, env),
    toolFolder('s3rver', () => undefined, env),
  ]);

  expect(one).toBe(other);
  expect(existsSync(one)).toBe(true);
  expect(await toolFolder('s3rver', () => undefined, env)).toBe(one);
  expect(await calls()).toEqual([expect.stringMatching(/^ci --ignore-scripts/)]);
});

test('a tool that cannot be installed is reported with the last lines of npm, and leaves nothing', async () => {
  const env = await withNpm(`console.error('npm error network'); process.exit(1);`);

  await expect(toolFolder('s3rver', () => undefined, env)).rejects.toThrow(
    's3rver cannot be installed: npm error network',
  );

  expect(await readdir(join(folder, 'cache'))).toEqual([]);
});

test('a Python environment is complete only with its marker file, and otherwise created again', async () => {
  const bin = join(folder, 'bin');
  const env = { PATH: `${bin}:/usr/bin:/bin`, CARTE_CACHE_DIR: join(folder, 'cache') };
  const pip = `mkdir -p "$3/bin"; printf '#!/bin/sh\\ntest -e ${folder}/breaks && exit 1; echo pip "$1" >> ${folder}/calls' > "$3/bin/pip"; chmod +x "$3/bin/pip"`;
  await writeProgram(join(bin, 'python3'), pip);
  await writeFile(join(folder, 'breaks'), '');

  await expect(toolFolder('schemathesis', () => undefined, env)).rejects.toThrow(
    'schemathesis cannot be installed',
  );
  await rm(join(folder, 'breaks'));
  const programs = await toolFolder('schemathesis', () => undefined, env);

  expect(await toolFolder('schemathesis', () => undefined, env)).toBe(programs);
  expect(await readdir(programs)).toEqual(['pip']);
  expect(await calls()).toEqual(['pip install']);
});

test('a tool in Python needs Python', async () => {
  const env = { PATH: folder, CARTE_CACHE_DIR: join(folder, 'cache') };

  await expect(toolFolder('schemathesis', () => undefined, env)).rejects.toThrow(
    'needs python3 (3.10 or newer) on PATH',
  );
});
