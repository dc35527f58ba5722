// The command `carte`, and the entry of every npm script. Plain JavaScript for Node 20: installs
// the packages if needed, then runs the subcommand on the Node that comes with them. An image has
// its own Node.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIENT_GENERATOR, isClientOutdated } from './generated-client.mjs';
import { installationNeed, stampInstallation, whileInstalling } from './install.mjs';
import { guard } from './watchdog.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const binaries = join(root, 'node_modules', '.bin');

/**
 * @typedef {Record<string, [program: string, description: string]>} Subcommands a program `folder/`
 * takes its name from the first argument
 */

/**
 * Subcommands of the product, which also read `.env`; environment variables take precedence.
 * @type {Subcommands}
 */
const product = {
  start: [
    'tools/start.ts',
    'runs everything on this machine: PostgreSQL, Temporal, emulator, workers, API, demo',
  ],
  api: ['api/main.ts', 'serves the storefront and admin APIs'],
  worker: [
    'workers/main.ts',
    'works for Temporal; the argument is the role: sync, order, build, import or all',
  ],
  migrate: [
    'tools/migrate.ts',
    'applies migrations, grants database rights, creates roles and the first administrator',
  ],
  'temporal:prepare': [
    'workers/temporal-prepare.ts',
    'creates the namespace and the search attributes in Temporal',
  ],
  'temporal:version': [
    'workers/temporal-version.ts',
    'lists the releases of workers in Temporal; the argument is the version to make current',
  ],
  'storage:prepare': ['workers/storage-prepare.ts', 'creates the bucket of media files'],
  'temporal:update': [
    'workers/temporal-update.ts',
    'sends an update to an incident, an order or a clearing of gifts',
  ],
  'schedules:apply': [
    'workers/schedules-apply.ts',
    'creates, updates and deletes schedules in Temporal',
  ],
  'secrets:rotate': [
    'tools/secrets-rotate.ts',
    'encrypts every stored secret with the first key of ENCRYPTION_KEYS',
  ],
  'keys:rotate': ['tools/keys-rotate.ts', 'replaces the signing keys of staff tokens'],
  'restore:reconcile': [
    'tools/restore-reconcile.ts',
    'brings a restored database to what Temporal and the ERP have done since, and opens intake',
  ],
  'audit:verify': ['tools/audit-verify.ts', 'verifies the digest chain of the audit'],
  'env:new': ['tools/env-new.ts', 'writes settings with new secrets for docker compose to .env'],
  'replay:live': [
    'workers/replay-live.ts',
    'replays live executions with these workflows, before a release',
  ],
};

/**
 * Subcommands for developers. Tests and benchmarks choose their own settings.
 * @type {Subcommands}
 */
const development = {
  test: [
    'packages/dev/test.ts',
    'runs the static checks and the tests of behavior; arguments select tests',
  ],
  'test:all': [
    'packages/dev/test-all.ts',
    'runs every test: also those of minutes and of the tools for developers',
  ],
  check: ['packages/dev/check.ts', 'runs the static checks'],
  bench: ['bench/', 'measures speed against a yardstick; the argument is the benchmark'],
  generate: ['packages/dev/generate/', 'writes generated files; the argument says which'],
  'comments:wrap': [
    'packages/dev/style/wrap.ts',
    'wraps the comments of all sources at 100 columns',
  ],
  'check:locks': [
    'packages/dev/locks/check-locks.ts',
    'proves that a test fails without each lock and unique rule',
  ],
  mutation: [
    'packages/dev/mutation.ts',
    'proves that a unit test fails when an operator of the rules changes',
  ],
  'openapi:lint': ['packages/dev/openapi/lint.ts', 'lints the API descriptions with redocly'],
  'fuzz:api': [
    'test/fuzz/fuzz-api.ts',
    'sends generated requests to every operation and validates the answers',
  ],
  'client:python': [
    'packages/dev/python-client/main.ts',
    'reads a running product with a generated Python client',
  ],
  'examples:record': [
    'test/examples/record.ts',
    'records the request examples of the API descriptions',
  ],
  'replay:record': ['test/replay/record.ts', 'records workflow histories for the replay tests'],
  'temporal:screenshots': [
    'test/e2e/operations/temporal-screenshots.ts',
    "takes the pictures of Temporal's UI for the documents",
  ],
  'console:build': ['tools/console-build.ts', 'builds the console of staff for an image'],
  'console:screenshots': [
    'test/e2e/console/screenshots.ts',
    'takes the pictures of the console for the documents',
  ],
  'shop:screenshot': [
    'test/e2e/shop/screenshot.ts',
    'takes the picture of the demo shop for the documents',
  ],
  emulator: ['packages/erp-emulator/main.ts', 'runs the ERP emulator alone'],
  temporal: ['tools/temporal.ts', 'makes the Temporal server available and prints its path'],
  'lock:complete': [
    'tools/complete-lock.mjs',
    'adds the packages of other platforms to package-lock.json',
  ],
};

/** The lowest version that runs TypeScript directly. */
const lowestMajor = 26;

/** Ctrl-C arrives from the terminal and again from npm. It is forwarded once. */
const sameSignalMs = 500;

/** @param {NodeJS.Signals | null} signal @param {number | null} code */
const exitCode = (code, signal) => code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/**
 * Runs a program to its end. The program has its own process group, gets terminal signals only
 * through us, and ends if we are killed.
 * @param {string} command @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const env = {
      // Halves the start time of later processes.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
      ...process.env,
      PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
    };

    // Must precede the start of the program. Otherwise, an early Ctrl-C would end only this
    // process.
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
  // npm killed by SIGKILL forwards nothing, but our parent changes.
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
    need === 'missing'
      ? 'Installing packages (once, about a minute)…'
      : 'Packages have changed, installing…',
  );

  const npm = process.env.npm_execpath;
  // Set-up and tests need development packages for any NODE_ENV. Hides the warning about the Node
  // version, which runs only npm and this file.
  const args = ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'];
  const code = await (npm === undefined ? run('npm', args) : run(process.execPath, [npm, ...args]));
  if (code !== 0) {
    console.error('The packages could not be installed; see the output of npm above.');
    process.exit(code);
  }

  stampInstallation(root);
}

/** Exits if the generation fails. */
async function generateClient() {
  // Another process may have generated the client meanwhile.
  if (!isClientOutdated(root)) return;
  console.error('Generating the typed client…');
  const code = await run(node, [...nodeOptions, join(root, CLIENT_GENERATOR)]);
  if (code !== 0) process.exit(code);
}

/** @param {string} folder @returns {string[]} names of the programs in it */
const programsIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length));

function help() {
  /** @param {Subcommands} commands */
  const list = (commands) =>
    Object.entries(commands)
      .map(([command, [, description]]) => `  ${command.padEnd(17)} ${description}`)
      .join('\n');

  return `Usage: npm run carte -- <subcommand> [arguments]\n\nProduct\n${list(product)}\n\nDevelopment\n${list({ ...development, help: ['', 'lists all subcommands'] })}`;
}

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(message);
  process.exit(2);
}

/**
 * Returns the program of a subcommand and its arguments.
 * @param {string} command @param {string[]} given
 * @returns {[program: string, args: string[]]}
 */
function resolve(command, given) {
  const [program] = product[command] ?? development[command] ?? [];
  if (program === undefined)
    refuse(`There is no subcommand "${command}". \`npm run carte -- help\` lists all of them.`);
  if (!program.endsWith('/')) return [program, given];
  const [which = '', ...rest] = given;
  const names = existsSync(join(root, program)) ? programsIn(program) : [];
  if (!names.includes(which)) refuse(`Usage: npm run carte -- ${command} <${names.join(' | ')}>`);

  return [`${program}${which}.ts`, rest];
}

const [name = 'help', ...given] = process.argv.slice(2);

if (name === 'help' || name === '--help') {
  console.log(help());
  process.exit(0);
}

const [entry, args] = resolve(name, given);
if (!existsSync(join(root, entry)))
  refuse(`The program of "${name}" is not part of this installation: ${entry}`);
// Repairs the list of packages, so it must run without packages.
const isPlain = entry.endsWith('.mjs');
// An image contains its packages and must not change itself.
const asInstalled = isPlain || process.env.NODE_ENV === 'production';
if (!asInstalled && installationNeed(root) !== undefined) await whileInstalling(root, install);
const nodeOptions = ['--disable-warning=ExperimentalWarning'];
const packaged = join(binaries, 'node');
const node = existsSync(packaged) && !isPlain ? packaged : process.execPath;

if (
  node === process.execPath &&
  !isPlain &&
  Number(process.versions.node.split('.')[0]) < lowestMajor
) {
  console.error(
    `Node ${lowestMajor} or newer is needed where the packages come without one; this is ${process.version}.`,
  );
  process.exit(1);
}

// The shop, the type check and tests use the client. Programs of production do not.
const usesClient = name === 'start' || (name in development && name !== 'generate' && !isPlain);
if (usesClient && !asInstalled && isClientOutdated(root))
  await whileInstalling(root, generateClient);
const settings = join(root, '.env');
if (name in product && existsSync(settings)) nodeOptions.push(`--env-file=${settings}`);
process.exitCode = await run(node, [...nodeOptions, join(root, entry), ...args]);
