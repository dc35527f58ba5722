import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { readEnv } from '../../../modules/env.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { root } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OPTIONS = {
  'erp-url': 'https://erp.example.com',
  storefront: 'https://shop.example.com',
  staff: 'https://staff.example.com',
  'admin-email': 'owner@example.com',
};
const newEnv = (options: Record<string, string>) =>
  promisify(execFile)(process.execPath, [
    join(root, 'tools/env-new.ts'),
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ]);

describe('the command carte env:new', () => {
  test('[OPS-86] writes every setting that docker compose requires, readable by its owner only', async () => {
    const file = join(await temporaryFolder('env'), '.env');
    const { stdout } = await newEnv({ ...OPTIONS, file });
    const text = await readFile(file, 'utf8');
    const settings = parseEnv(text) as Record<string, string>;
    const compose = await readFile(join(root, 'docker-compose.yml'), 'utf8');
    const required = [
      ...new Set([...compose.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name!)),
    ];

    expect(required.length).toBeGreaterThan(10);
    expect(required.filter((name) => !settings[name])).toEqual([]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(stdout).not.toContain(settings['ADMIN_PASSWORD']);
    const env = readEnv({ ...settings, NODE_ENV: 'production' }, [
      'ENCRYPTION_KEYS',
      'ERP_URL',
      'PUBLIC_ORIGINS',
      'ADMIN_ORIGINS',
      'WEBHOOK_SECRET',
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
    ]);
    expect(createSecretBox(env.ENCRYPTION_KEYS)).toBeDefined();
  });

  test('[OPS-86] generates other secrets each time', async () => {
    const folder = await temporaryFolder('env');
    const files = ['one', 'other'].map((name) => join(folder, name));
    for (const file of files) await newEnv({ ...OPTIONS, file });
    const [one, other] = await Promise.all(
      files.map(async (file) => parseEnv(await readFile(file, 'utf8')) as Record<string, string>),
    );
    const equal = Object.keys(one!).filter((name) => one![name] === other![name]);

    expect(equal.sort()).toEqual(['ADMIN_EMAIL', 'ADMIN_ORIGINS', 'ERP_URL', 'PUBLIC_ORIGINS']);
  });

  test('[OPS-86] keeps an existing file unchanged', async () => {
    const file = join(await temporaryFolder('env'), '.env');
    await newEnv({ ...OPTIONS, file });
    const before = await readFile(file, 'utf8');

    await expect(newEnv({ ...OPTIONS, file })).rejects.toMatchObject({
      code: 1,
      stderr: `${file} exists and was left as it is.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  test.each([
    ['storefront', 'https://shop.example.com/menu'],
    ['staff', '*'],
    ['erp-url', 'erp.example.com'],
    ['admin-email', 'owner'],
  ])('[OPS-86] rejects --%s %s and writes nothing', async (option, value) => {
    const file = join(await temporaryFolder('env'), '.env');

    await expect(newEnv({ ...OPTIONS, [option]: value, file })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`--${option} must be`),
    });
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
