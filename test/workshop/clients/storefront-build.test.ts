import { readdirSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildStorefront } from '../../../tools/built-site.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MOST_KILOBYTES = 100;
const COPIED = ['examples/storefront', 'packages/client/src', 'package-lock.json'];

describe('the build of the example storefront', () => {
  let copy: string;
  beforeAll(async () => {
    copy = await temporaryFolder('storefront');
    for (const path of COPIED)
      await cp(join(root, path), join(copy, path), {
        recursive: true,
        filter: (source) => !/\/(?:dist|node_modules)$/.test(source),
      });
    await mkdir(join(copy, 'node_modules'));
    for (const name of ['vite', 'react', 'react-dom'])
      await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const assets = () => readdirSync(join(copy, 'examples/storefront/dist/assets'));

  test('[HTTP-59] runs only if a source has changed', async () => {
    const first = await buildStorefront(log, copy);
    const before = assets();
    const unchanged = await buildStorefront(log, copy);
    await appendFile(
      join(copy, 'examples/storefront/src/main.tsx'),
      `\ndocument.body.dataset['changed'] = 'yes';\n`,
    );
    const changed = await buildStorefront(log, copy);

    expect([first, unchanged, changed]).toEqual([true, false, true]);
    expect(assets()).not.toEqual(before);
  });

  test('[HTTP-59] fails with the message of Vite if a source does not compile', async () => {
    await appendFile(join(copy, 'examples/storefront/src/main.tsx'), `\nconst = 1;\n`);

    await expect(buildStorefront(log, copy)).rejects.toThrow(
      /The storefront could not be built: .*main\.tsx/s,
    );
  });

  test(`[HTTP-61] produces at most ${MOST_KILOBYTES} KB of JavaScript with gzip`, async () => {
    await buildStorefront(log);
    const folder = join(root, 'examples/storefront/dist/assets');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const sizes = await Promise.all(
      scripts.map(async (name) => gzipSync(await readFile(join(folder, name))).length),
    );

    expect(scripts).not.toEqual([]);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_KILOBYTES * 1000);
  });
});
