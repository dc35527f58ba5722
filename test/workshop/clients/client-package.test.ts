import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toolFolder } from '../../../packages/dev/programs/tool-folders.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);

describe('[HTTP-55] the archive of @carte/client', () => {
  let folder: string;
  let modules: string;
  let archive: string;
  beforeAll(async () => {
    folder = await temporaryFolder('client-archive');
    modules = await toolFolder('client-checks', (line) => process.stderr.write(`${line}\n`));
    const pack = ['pack', '-w', '@carte/client', '--pack-destination', folder, '--json'];
    const { stdout } = await run('npm', pack, { cwd: root });
    const [, name] = /"filename": "([^"]+)"/.exec(stdout)!;
    archive = join(folder, name!);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const checked = (program: string, ...args: string[]) =>
    run(process.execPath, [join(modules, program), ...args], { cwd: folder });

  test('contains declarations that every resolution of ES modules finds', async () => {
    const { stdout } = await checked(
      '@arethetypeswrong/cli/dist/index.js',
      archive,
      '--profile',
      'esm-only',
    );

    for (const entry of ['storefront', 'admin', 'events'])
      expect(stdout).toContain(`"@carte/client/${entry}"`);
  });

  test('contains an entry for each subpath that publint accepts', async () => {
    const { stdout } = await checked('publint/src/cli.js', archive, '--strict');

    expect(stdout).toContain('All good!');
  });

  test('fails the check when an entry has no file', async () => {
    await run('tar', ['-xzf', archive, '-C', folder]);
    const manifest = join(folder, 'package/package.json');
    const broken = (await readFile(manifest, 'utf8')).replace('./dist/admin.js', './dist/none.js');
    await writeFile(manifest, broken);
    const refused = run(process.execPath, [
      join(modules, 'publint/src/cli.js'),
      join(folder, 'package'),
      '--strict',
    ]);

    await expect(refused).rejects.toMatchObject({
      stdout: expect.stringContaining('none.js') as unknown,
    });
  });
});
