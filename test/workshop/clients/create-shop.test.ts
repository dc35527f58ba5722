import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGuarded } from '../../../tools/guarded-process.ts';
import { freeLowPort } from '../../../tools/ports.ts';
import { eventually, root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);
// Packages come from the registry, or from the cache of npm.
const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: '', npm_config_prefer_offline: 'true' };

let folder: string;
let create: string;
let shop: string;
beforeAll(async () => {
  folder = await temporaryFolder('create-shop');
  await run(process.execPath, [join(root, 'packages/create-carte-shop/template.mjs'), folder], {
    env,
  });
  await run('tar', ['xzf', 'create-carte-shop-0.1.0.tgz'], { cwd: folder });
  create = join(folder, 'package/create.mjs');
  shop = join(folder, 'Моя shop');
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const node = (...args: string[]) => run(process.execPath, args, { cwd: folder, env });
const refusal = (...args: string[]): Promise<string> =>
  node(create, ...args).then(
    () => '',
    ({ stderr }: { stderr: string }) => stderr,
  );
async function build(project: string): Promise<void> {
  const modules = join(project, 'node_modules');
  await run(process.execPath, [join(modules, 'typescript/bin/tsc')], { cwd: project, env });
  await run(process.execPath, [join(modules, 'vite/bin/vite.js'), 'build'], { cwd: project, env });
}

describe('the program create-carte-shop', () => {
  test('[HTTP-102] creates a shop that compiles, builds and serves its pages and the API', async () => {
    const { stdout } = await node(create, 'Моя shop');
    await build(shop);
    const api = createServer(
      (request, response) => void response.end(`the API: ${request.url}`),
    ).listen(0, '127.0.0.1');
    const port = await freeLowPort();
    const preview = await startGuarded({
      command: process.execPath,
      args: [
        'node_modules/vite/bin/vite.js',
        'preview',
        '--host',
        '127.0.0.1',
        '--strictPort',
        '--port',
        String(port),
      ],
      cwd: shop,
      env: { ...env, CARTE_API: `http://127.0.0.1:${(api.address() as AddressInfo).port}` },
      stopSignal: 'KILL',
      output: () => undefined,
    });
    try {
      const read = (path: string) =>
        fetch(`http://127.0.0.1:${port}${path}`).then((answer) => answer.text());
      const page = await eventually('the shop is served', () =>
        read('/dish/soup').catch(() => undefined),
      );

      expect(page).toContain('<div id="root">');
      expect(await read('/api/v1/organizations')).toBe('the API: /api/v1/organizations');
      expect(stdout).toContain('npm run dev');
      expect(JSON.parse(await readFile(join(shop, 'package.json'), 'utf8'))).toMatchObject({
        name: 'shop',
        devDependencies: { '@carte/client': 'file:carte-client-0.1.0.tgz' },
      });
    } finally {
      await preview.stop();
      api.close();
    }
  }, 180_000);

  test('[HTTP-102] compiles and builds from a copy of the example with the packed client', async () => {
    const copy = join(folder, 'copied');
    await cp(join(root, 'examples/storefront'), copy, {
      recursive: true,
      filter: (source) => !/\/(?:dist|node_modules)$/.test(source),
    });
    await symlink(join(shop, 'node_modules'), join(copy, 'node_modules'));
    await build(copy);

    expect(await readdir(join(copy, 'dist/assets'))).toHaveLength(2);
  }, 60_000);

  test('[HTTP-102] rejects a folder with files and leaves them unchanged', async () => {
    const full = join(folder, 'full');
    await mkdir(full);
    await writeFile(join(full, 'notes.txt'), 'mine');

    expect(await refusal('full')).toBe(`${full} is not empty. Name another folder.\n`);
    expect(await readdir(full)).toEqual(['notes.txt']);
  });

  test.each([
    [['one', 'two'], /^Name one folder\. Usage: /],
    [['--nonsense'], /'--nonsense'.*Usage: npm create carte-shop/],
  ])('[HTTP-102] rejects the arguments %j with its usage', async (args, message) => {
    expect(await refusal(...args)).toMatch(message);
  });
});
