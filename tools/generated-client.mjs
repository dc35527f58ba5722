import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = 'packages/client/src/generated';
/** Names the sources of the generated files. */
const MARK = `${FOLDER}/sources.txt`;
const FILES = ['admin.ts', 'permissions.ts', 'problem.ts', 'public.ts'];

/** The program that generates it. */
export const CLIENT_GENERATOR = 'packages/dev/generate/client.ts';

/** Folders and files that it depends on; of modules, their schemas and rules. */
const SOURCES = [
  'api',
  'kernel/pure',
  'modules',
  CLIENT_GENERATOR,
  'packages/dev/client-types.ts',
  'packages/dev/style/wrap-comments.ts',
  '.oxfmtrc.json',
  'package-lock.json',
];
const OF_MODULES = /^modules\/.*\/(?:schemas|rules)\//;

/**
 * Returns true if the generated client is missing or outdated.
 * @param {string} root the checkout
 */
export function isClientOutdated(root) {
  if (!existsSync(join(root, CLIENT_GENERATOR))) return false;
  if (
    [MARK, ...FILES.map((file) => `${FOLDER}/${file}`)].some(
      (file) => !existsSync(join(root, file)),
    )
  )
    return true;
  return readFileSync(join(root, MARK), 'utf8') !== digestOfSources(root);
}

/**
 * Records that the client was generated from the present sources.
 * @param {string} root the checkout
 */
export function stampClient(root) {
  const mark = join(root, MARK);
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, digestOfSources(root));
}

/** @param {string} root */
function digestOfSources(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES)
    for (const file of filesIn(root, source))
      if (!file.startsWith('modules/') || OF_MODULES.test(file))
        hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/**
 * @param {string} root @param {string} path @returns {string[]} the file, or the files of a folder
 */
function filesIn(root, path) {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = `${path}/${entry.name}`;
      return entry.isDirectory() ? filesIn(root, inner) : [inner];
    });
}
