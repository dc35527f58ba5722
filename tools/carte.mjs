// The entry of every npm script. Plain JavaScript for Node 20: it installs the packages when needed and
// then runs the real entry on the Node that comes with them. An image has no such Node, it runs on its own.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installationNeed, stampInstallation, whileInstalling } from './install.mjs';
import { guard } from './watchdog.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const binaries = join(root, 'node_modules', '.bin');

/** Entries that are not `tools/<name>.ts`. */
const entries = {
  api: 'api/main.ts',
  worker: 'workers/main.ts',
  'schedules:apply': 'workers/schedules-apply.ts',
  'temporal:prepare': 'workers/temporal-prepare.ts',
  'replay:live': 'workers/replay-live.ts',
  'storage:prepare': 'workers/storage-prepare.ts',
  'replay:record': 'test/replay/record.ts',
  'examples:record': 'test/examples/record.ts',
  'shop:screenshot': 'test/e2e/shop/screenshot.ts',
  'fuzz:api': 'test/fuzz/fuzz-api.ts',
  emulator: 'packages/erp-emulator/main.ts',
  test: 'packages/dev/test.ts',
  check: 'packages/dev/check.ts',
  soak: 'packages/dev/soak.ts',
  mutation: 'packages/dev/mutation.ts',
  'check:locks': 'packages/dev/locks/check-locks.ts',
  'env:docs': 'packages/dev/generate/env-docs.ts',
  'access:docs': 'packages/dev/generate/access-docs.ts',
  'metrics:docs': 'packages/dev/generate/metrics-docs.ts',
  'problems:docs': 'packages/dev/generate/problems-docs.ts',
  openapi: 'packages/dev/generate/openapi.ts',
  'openapi:lint': 'packages/dev/openapi/lint.ts',
  'schema-snapshot': 'packages/dev/generate/schema-snapshot.ts',
  'client:generate': 'packages/dev/generate/client-generate.ts',
  'client:python': 'packages/dev/python-client/main.ts',
  'bench:menu': 'bench/menu.ts',
  'bench:gateway': 'bench/gateway.ts',
  'bench:binding': 'bench/binding.ts',
  'bench:import': 'bench/import.ts',
  'bench:import-growth': 'bench/import-growth.ts',
  'bench:media': 'bench/media.ts',
  'bench:snapshot': 'bench/snapshot.ts',
  'bench:search': 'bench/search.ts',
  'bench:propagation': 'bench/propagation.ts',
  'bench:storm': 'bench/storm.ts',
  'bench:product-list': 'bench/product-list.ts',
  'bench:status': 'bench/status.ts',
  'bench:resolve': 'bench/resolve.ts',
  'bench:comments': 'bench/comment-blocks.ts',
  'bench:cart': 'bench/cart.ts',
  'bench:order': 'bench/order.ts',
  'bench:gifts': 'bench/gifts.ts',
  'bench:gift-days': 'bench/gift-days.ts',
  'bench:scale': 'bench/scale.ts',
};

/** Programs of the product: their settings may stand in a file `.env`; a variable of the environment goes before. Tests and benches choose their own. */
const configured = new Set([
  'start',
  'api',
  'worker',
  'migrate',
  'schedules:apply',
  'temporal:prepare',
  'storage:prepare',
  'secrets:rotate',
  'keys:rotate',
  'audit:verify',
  'replay:live',
]);

/** The Node that the sources are written for: it runs TypeScript as it is. */
const lowestMajor = 26;

/** Ctrl-C reaches us from the terminal and again from npm within moments; the program must see it once. */
const sameSignalMs = 500;

/** @param {NodeJS.Signals | null} signal @param {number | null} code */
const exitCode = (code, signal) => code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/**
 * Runs a program to its end and forwards the signals we get. It has its own process group, so signals of the
 * terminal reach it only through us, and it is ended when we are killed.
 * @param {string} command @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const env = {
      // Node keeps the modules it has compiled there; every later start of any process is about half as long.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
      ...process.env,
      PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
    };
    // Before the program runs: Ctrl-C at its first words would end us alone.
    const stopForwarding = forwardSignals((signal) => child.kill(signal));
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', detached: true, env });
    child.once('error', (error) => {
      stopForwarding();
      reject(error);
    });
    if (child.pid === undefined) return;
    const watchdog = guard(child.pid, { signal: 'TERM', graceSeconds: 30 });
    child.once('exit', (code, signal) => {
      watchdog.dismiss();
      stopForwarding();
      resolve(exitCode(code, signal));
    });
  });
}

/** @param {(signal: NodeJS.Signals) => unknown} send */
function forwardSignals(send) {
  const forwarded = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  let lastAt = -Infinity;
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    const now = performance.now();
    if (now - lastAt > sameSignalMs) send(signal);
    lastAt = now;
  };
  for (const signal of forwarded) process.on(signal, forward);
  // npm killed with SIGKILL forwards nothing: we notice that our parent has changed.
  const parent = process.ppid;
  const orphaned = setInterval(() => process.ppid !== parent && forward('SIGTERM'), 1000);
  if (process.env.npm_lifecycle_event === undefined) clearInterval(orphaned);
  return () => {
    clearInterval(orphaned);
    for (const signal of forwarded) process.off(signal, forward);
  };
}

async function install() {
  const need = installationNeed(root);
  if (need === undefined) return;
  console.log(
    need === 'missing' ? 'Installing packages (once, about a minute)…' : 'Packages have changed, installing…',
  );
  const npm = process.env.npm_execpath;
  // Development packages too, whatever NODE_ENV says: set-up and tests need them.
  // Errors only: the Node that npm warns about runs npm and this file, nothing else.
  const args = ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  const code = await (npm === undefined ? run('npm', args) : run(process.execPath, [npm, ...args]));
  if (code !== 0) {
    console.error('The packages could not be installed; see the output of npm above.');
    process.exit(code);
  }
  stampInstallation(root);
}

const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  console.error('usage: node tools/carte.mjs <name> [arguments]');
  process.exit(2);
}
// An image comes with its packages, without the ones for development, and must not change itself.
const asInstalled = process.env.NODE_ENV === 'production';
if (!asInstalled && installationNeed(root) !== undefined) await whileInstalling(root, install);
const entry = entries[name] ?? `tools/${name.replaceAll(':', '-')}.ts`;
if (!existsSync(join(root, entry))) {
  console.error(`There is no command "${name}": ${entry} does not exist.`);
  process.exit(2);
}
const nodeOptions = ['--disable-warning=ExperimentalWarning'];
const packaged = join(binaries, 'node');
const node = existsSync(packaged) ? packaged : process.execPath;
if (node === process.execPath && Number(process.versions.node.split('.')[0]) < lowestMajor) {
  console.error(
    `Node ${lowestMajor} or newer is needed where the packages come without one; this is ${process.version}.`,
  );
  process.exit(1);
}
const settings = join(root, '.env');
if (configured.has(name) && existsSync(settings)) nodeOptions.push(`--env-file=${settings}`);
process.exitCode = await run(node, [...nodeOptions, join(root, entry), ...args]);
