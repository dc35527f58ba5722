import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { npmTool } from '../../../packages/dev/programs/npm-tool.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder('npm-tool');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A stand-in for npm that notes its calls and does `work` in the folder of the tool. */
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

test('two at once install a tool once, from its lock file and without its install scripts', async () => {
  const env = await withNpm(`if (existsSync('package-lock.json')) mkdirSync('node_modules');`);

  const [one, other] = await Promise.all([
    npmTool('s3rver', () => undefined, env),
    npmTool('s3rver', () => undefined, env),
  ]);

  expect(one).toBe(other);
  expect(existsSync(one)).toBe(true);
  expect(await npmTool('s3rver', () => undefined, env)).toBe(one);
  expect(await calls()).toEqual([expect.stringMatching(/^ci --ignore-scripts/)]);
});

test('a tool that cannot be installed is one sentence with the last words of npm, and leaves nothing', async () => {
  const env = await withNpm(`console.error('npm error network'); process.exit(1);`);

  await expect(npmTool('s3rver', () => undefined, env)).rejects.toThrow(
    's3rver cannot be installed: npm error network',
  );

  expect(await readdir(join(folder, 'cache'))).toEqual([]);
});
