#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TEMPLATE, writeTemplate } from './template.mjs';

const USAGE = 'Usage: npm create carte-shop [folder] -- [--no-install]';

/** The reason why no shop was created. */
class Refusal extends Error {}

function main() {
  const { values, positionals } = parseOptions(process.argv.slice(2));
  const [name = 'shop'] = positionals;
  const folder = resolve(name);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Refusal(`${folder} is not empty. Name another folder.`);
  copyTemplate(folder);
  const settings = join(folder, 'package.json');
  const shop = {
    ...JSON.parse(readFileSync(settings, 'utf8')),
    name: packageName(basename(folder)),
  };

  writeFileSync(settings, `${JSON.stringify(shop, null, 2)}\n`);
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\ndist/\n');
  const isInstalled = values['no-install'] === true || install(folder);
  const steps = [`cd ${relative(process.cwd(), folder) || '.'}`];
  if (values['no-install'] === true || !isInstalled) steps.push('npm install');
  steps.push('CARTE_API=http://127.0.0.1:8080 npm run dev');
  process.stdout.write(
    `\nYour shop is in ${folder}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}\n`,
  );
  if (!isInstalled) throw new Refusal('npm install failed; see its output above.');
}

/** @param {string[]} args */
function parseOptions(args) {
  try {
    const parsed = parseArgs({
      args,
      allowPositionals: true,
      options: { 'no-install': { type: 'boolean' } },
    });
    if (parsed.positionals.length <= 1) return parsed;
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}. ${USAGE}`);
  }

  throw new Refusal(`Name one folder. ${USAGE}`);
}

/**
 * Copies the template of the package or, in Carte's repository, of its sources.
 *
 * @param {string} folder
 */
function copyTemplate(folder) {
  if (existsSync(TEMPLATE)) return cpSync(TEMPLATE, folder, { recursive: true });
  const made = mkdtempSync(join(tmpdir(), 'carte-shop-'));

  try {
    writeTemplate(made);
    cpSync(made, folder, { recursive: true });
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** @param {string} folder */
function install(folder) {
  const { status } = spawnSync('npm', ['install'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });

  return status === 0;
}

/**
 * Returns a name that npm accepts.
 *
 * @param {string} text
 */
function packageName(text) {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');

  return name === '' ? 'shop' : name;
}

try {
  main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
