import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** What the blocks of a document use and a reader brings along. */
const BROUGHT: Readonly<Record<string, string>> = {
  'docs/guides/storefront.md': '',
  'docs/api-testing.md': `
    declare const organization_id: string, baseUrl: string, email: string, password: string, id: number, version: number;`,
};

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('guides');
  await cp(join(root, 'packages/client/src'), join(folder, 'client'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the compiler says of `code` in a project that has copied the client; empty when it compiles. */
async function refusalsOf(name: string, code: string): Promise<string> {
  await writeFile(join(folder, name), code);
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--lib',
    'esnext,dom,dom.iterable',
  ];
  const args = ['--ignoreConfig', '--allowImportingTsExtensions', '--skipLibCheck', '--types', '', ...options, name];
  return run(join(root, 'node_modules/.bin/tsc'), args, { cwd: folder }).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

test.each(Object.keys(BROUGHT))(
  'the TypeScript of %s compiles in a project that has copied the client',
  async (path) => {
    const text = await readFile(join(root, path), 'utf8');
    const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);

    expect(blocks).not.toHaveLength(0);
    for (const [at, block] of blocks.entries())
      expect(await refusalsOf(`block-${at}.ts`, BROUGHT[path]! + block)).toBe('');
  },
);

test('a block that reads what may be absent is refused', async () => {
  const code = `
    import { PublicApi } from './client/public.ts';
    const again = await new PublicApi({ baseUrl: '' }).getMenu({}, { ifNoneMatch: 'W/"1"' });
    console.log(again.data.products.length);`;

  expect(await refusalsOf('absent.ts', code)).toMatch(/TS18047/);
});

/** The options of an `npm run` line by the command they are given to: `fuzz:api --seed`. */
function optionsIn(text: string): string[] {
  const lines = [...text.matchAll(/npm run ([\w:-]+) -- ([^`#\n]*)/g)];
  return lines.flatMap(([, command, rest]) =>
    [...rest!.matchAll(/--[\w-]+/g)].map(([option]) => `${command} ${option}`),
  );
}

test('every option that a document gives to the fuzzing is one that it reads', async () => {
  const [text, source] = await Promise.all(
    ['docs/api-testing.md', 'test/fuzz/fuzz-api.ts'].map((path) => readFile(join(root, path), 'utf8')),
  );
  const given = optionsIn(text!);
  const read = [...source!.matchAll(/^ {4}(\w+): \{ type: 'string'/gm)].map(([, name]) => `fuzz:api --${name}`);

  expect(given).toContain('fuzz:api --examples');
  expect(given.filter((each) => !read.includes(each))).toEqual([]);
});
