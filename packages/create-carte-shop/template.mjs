import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(import.meta.dirname, '../..');
const example = join(repository, 'examples/storefront');
const OWN_FILES = ['package.json', 'create.mjs', 'template.mjs', 'README.md', 'LICENSE'];
const FILES = ['index.html', 'src', 'tsconfig.json', 'vite.config.ts', 'LICENSE'];

/** The folder of the template in the published package. */
export const TEMPLATE = join(import.meta.dirname, 'template');

/**
 * Writes the template of a shop: the example storefront and the packed client. Replaces an
 * existing folder.
 *
 * @param {string} folder
 */
export function writeTemplate(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) cpSync(join(example, file), join(folder, file), { recursive: true });
  const packed = run(
    'npm',
    ['pack', '--json', '--pack-destination', folder],
    join(repository, 'packages/client'),
  );

  // The list of archives follows the output of the build.
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('[\n')));
  const { scripts, devDependencies } = JSON.parse(
    readFileSync(join(example, 'package.json'), 'utf8'),
  );
  const shop = {
    name: 'shop',
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts,
    devDependencies: { ...devDependencies, '@carte/client': `file:${filename}` },
  };

  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(shop, null, 2)}\n`);
}

/**
 * Runs a program and returns its output.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 */
const run = (program, args, cwd) =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/**
 * Writes the archive of this package with its template to a folder.
 *
 * @param {string} folder
 */
function archive(folder) {
  // Outside the repository, whose checks must not find a copy of the template.
  const staged = mkdtempSync(join(tmpdir(), 'create-carte-shop-'));
  try {
    for (const file of OWN_FILES) cpSync(join(import.meta.dirname, file), join(staged, file));
    writeTemplate(join(staged, 'template'));
    run('npm', ['pack', staged, '--pack-destination', resolve(folder)], import.meta.dirname);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) archive(process.argv[2] ?? '.');
