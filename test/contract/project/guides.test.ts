import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installClient } from '../../support/client-package.ts';
import { readCode } from '../../support/guide-blocks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
const tsc = join(root, 'node_modules/.bin/tsc');

const GUIDE = 'docs/guides/storefront.md';
/** Declarations that a reader adds to the blocks. */
const BROUGHT: Readonly<Record<string, string>> = {
  [GUIDE]: '',
  'docs/api-testing.md': `
    declare const organization_id: string, baseUrl: string, email: string, password: string, id: number, version: number;`,
};

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('guides');
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await installClient(folder);
  await run(tsc, ['--init'], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Compiler errors in a project of `tsc --init` with the client. */
async function compile(name: string, code: string): Promise<string> {
  await writeFile(join(folder, name), code);
  return run(tsc, ['--noEmit'], { cwd: folder }).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

test.each(Object.keys(BROUGHT))(
  'the TypeScript of %s compiles in a project with the client',
  async (path) => {
    const blocks = await readCode(path, 'ts');
    // The blocks of the guide form one program. Blocks of other documents are independent.
    const programs = path === GUIDE ? [blocks.join('')] : blocks;

    expect(blocks).not.toHaveLength(0);
    for (const program of programs)
      expect(await compile('block.ts', BROUGHT[path]! + program)).toBe('');
  },
);

test('the built client runs in plain Node', async () => {
  await writeFile(
    join(folder, 'plain.mjs'),
    `import { PublicApi } from '@carte/client/storefront';
     import { AdminApi } from '@carte/client/admin';
     import { PublicApi as FromRoot } from '@carte/client';
     import { isProblem, kopecks } from '@carte/client/storefront';
     const options = { baseUrl: 'http://shop.test', fetch: async (url) => Response.json({ url }) };
     const { data } = await new PublicApi(options).getMenu({ organization_id: 'o' });
     console.log(data.url, kopecks(12.5), isProblem(new Error('x')), typeof new AdminApi(options).login, FromRoot === PublicApi);`,
  );
  const { stdout } = await run(process.execPath, [join(folder, 'plain.mjs')]);

  expect(stdout).toBe('http://shop.test/api/v1/menu?organization_id=o 1250 false function true\n');
});

test('a code block that ignores a possibly absent value is rejected', async () => {
  const code = `
    import { PublicApi } from '@carte/client/storefront';
    const again = await new PublicApi({ baseUrl: '' }).getMenu({}, { ifNoneMatch: 'W/"1"' });
    console.log(again.data.products.length);`;

  expect(await compile('block.ts', code)).toMatch(/TS18047/);
});

test('[HTTP-104] parameters and options may be undefined in a project with exact optional types', async () => {
  const code = `
    import { PublicApi, type Uuid } from '@carte/client';
    declare const address_id: Uuid | undefined, signal: AbortSignal | undefined, quoteId: Uuid | undefined;
    const api = new PublicApi({ baseUrl: '', accessToken: undefined, timeoutMs: undefined });
    await api.getDeliverySlots({ organization_id: '', type: 'DELIVERY', address_id }, { signal });
    const fulfillment = { type: 'PICKUP' as const, slotId: 'asap', addressId: address_id };
    const order = { cartId: '', fulfillment, paymentMethod: 'CASH', quoteId, comment: undefined };
    await api.placeOrder(order, { idempotencyKey: '' });`;

  expect(await compile('block.ts', code)).toBe('');
});

/** Options of `npm run carte` with the subcommand: `fuzz:api --seed`. */
function optionsIn(text: string): string[] {
  const lines = [...text.matchAll(/npm run carte -- ([\w:-]+) ([^`#\n]*)/g)];
  return lines.flatMap(([, command, rest]) =>
    [...rest!.matchAll(/--[\w-]+/g)].map(([option]) => `${command} ${option}`),
  );
}

test('each fuzzing option in a document exists', async () => {
  const [text, source] = await Promise.all(
    ['docs/api-testing.md', 'test/fuzz/fuzz-api.ts'].map((path) =>
      readFile(join(root, path), 'utf8'),
    ),
  );
  const given = optionsIn(text!);
  const read = [...source!.matchAll(/^ {4}(\w+): \{ type: 'string'/gm)].map(
    ([, name]) => `fuzz:api --${name}`,
  );

  expect(given).toContain('fuzz:api --examples');
  expect(given.filter((entry) => !read.includes(entry))).toEqual([]);
});
