import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** This file is deleted with node_modules. */
const stampName = '.carte-lock-digest';

/** @param {string} root @returns {string} the digest of package-lock.json */
function wantedDigest(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/** Records that node_modules matches package-lock.json. @param {string} root */
export function stampInstallation(root) {
  writeFileSync(join(root, 'node_modules', stampName), wantedDigest(root));
}

/**
 * Returns undefined if the packages are current.
 * @param {string} root the checkout
 * @returns {'missing' | 'stale' | undefined}
 */
export function installationNeed(root) {
  const modules = join(root, 'node_modules');
  if (!existsSync(join(modules, '.bin', 'node'))) return 'missing';
  const stamp = join(modules, stampName);
  if (existsSync(stamp))
    return readFileSync(stamp, 'utf8') === wantedDigest(root) ? undefined : 'stale';

  return installedByHand(root) ? undefined : 'stale';
}

/**
 * Returns true if node_modules has exactly the packages of package-lock.json. Needed because a
 * plain `npm ci` or `npm install` writes no stamp.
 * @param {string} root
 */
function installedByHand(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;

  return Object.entries(wanted).every(([path, { version, optional }]) =>
    path === '' ? true : path in present ? present[path].version === version : optional === true,
  );
}

/**
 * Runs `work` while no other process installs into this checkout.
 * @param {string} root
 * @param {() => Promise<void>} work
 */
export async function whileInstalling(root, work) {
  const lock = join(root, '.carte', 'install.lock');
  mkdirSync(join(root, '.carte'), { recursive: true });

  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      if (!holderLives(lock)) rmSync(lock, { force: true });
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }

  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {string} lock */
function holderLives(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // Empty: its owner has created it but not written yet.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
