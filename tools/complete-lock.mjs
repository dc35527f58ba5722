// `npm run carte -- lock:complete [<lock file>]`: adds packages of other platforms that npm omits
// if a registry mirror lacks them; `npm ci` would then reject the lock file. Also requests missing
// checksums: without one, `npm ci` installs any content. Run it after every change of a dependency.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];

const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/**
 * Returns the platform in a name such as `@scope/thing-linux-x64-musl`.
 * @param {string} name
 */
function derivePlatform(name) {
  const words = name
    .split('/')
    .at(-1)
    .replace('windows', 'win32')
    .replace('linuxmusl', 'linux-musl')
    .split('-');

  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : [];

  return {
    ...(cpu.length > 0 && { cpu }),
    ...(os.includes('linux') && libc.length > 0 && { libc }),
    ...(os.length > 0 && { os }),
  };
}

/**
 * Returns where Node finds `name` from `path`, or undefined. @param {Record<string, object>}
 * packages
 */
function found(packages, path, name) {
  const folders = path.split(/(?:^|\/)node_modules\//).slice(1);

  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const place = [...folders.slice(0, depth), name]
      .map((folder) => `node_modules/${folder}`)
      .join('/');
    if (packages[place] !== undefined) return place;
  }

  return undefined;
}

/**
 * Lists optional packages that the lock file refers to but does not contain.
 * @param {{ packages: Record<string, any> }} lock
 */
export function missingOptionals(lock) {
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => found(lock.packages, path, name) === undefined)
      .map(([name, range]) => ({
        path,
        name,
        version: String(range).replace(/^[\^~]/, ''),
        dev: entry.dev === true,
      })),
  );
}

/** Lists registry packages without a checksum. @param {{ packages: Record<string, any> }} lock */
export function withoutChecksum(lock) {
  return Object.entries(lock.packages)
    .filter(
      ([path, entry]) =>
        path.includes('node_modules/') && entry.link !== true && entry.integrity === undefined,
    )
    .map(([path, { version }]) => ({ path, name: path.split('node_modules/').at(-1), version }));
}

/**
 * Reads the registry's entry of one version, undefined if there is none. @param {string} registry
 */
async function fetchChecksum(registry, name, version) {
  const answer = await fetch(`${registry}${name.replace('/', '%2f')}/${version}`);
  return answer.ok ? (await answer.json()).dist?.integrity : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingOptionals(lock);

  for (const { path, name, version, dev } of missing) {
    lock.packages[`${path}/node_modules/${name}`] = {
      version,
      optional: true,
      ...(dev && { dev }),
      ...derivePlatform(name),
    };
  }

  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' })
    .trim()
    .replace(/\/?$/, '/');
  const unknown = [];

  for (const { path, name, version } of withoutChecksum(lock)) {
    const integrity = await fetchChecksum(registry, name, version);
    if (integrity === undefined) unknown.push(`${name}@${version}`);
    else lock.packages[path] = { version, integrity, ...lock.packages[path] };
  }

  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${missing.length} packages of other platforms added to package-lock.json`);
  if (unknown.length > 0)
    console.log(`without a checksum, because the registry lacks them: ${unknown.join(', ')}`);
}
