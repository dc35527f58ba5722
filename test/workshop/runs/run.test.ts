import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { installationNeed } from '../../../tools/install.mjs';
import { isAlive } from '../../../tools/lock.ts';
import { waitUntil } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// A small checkout with a fake npm that records its calls and "installs" the current Node.
let root: string;
beforeEach(async () => {
  root = await temporaryFolder('run');
  const tools = fileURLToPath(new URL('../../../tools/', import.meta.url));
  for (const name of ['carte.mjs', 'generated-client.mjs', 'install.mjs', 'watchdog.mjs'])
    await cp(join(tools, name), join(root, 'tools', name));
  await lock('1.0.0');
  await writeFile(
    join(root, 'npm.mjs'),
    `import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
     appendFileSync('${root}/npm-calls', process.argv.slice(2).join(' ') + '\\n');
     if (existsSync('${root}/npm-breaks')) process.exit(7);
     rmSync('${root}/node_modules', { recursive: true, force: true });
     mkdirSync('${root}/node_modules/.bin', { recursive: true });
     symlinkSync(process.execPath, '${root}/node_modules/.bin/node');`,
  );
});
afterEach(async () => rm(root, { recursive: true }));

async function lock(version: string): Promise<void> {
  const packages = {
    '': {},
    'node_modules/a': { version },
    'node_modules/b': { version: '1.0.0', optional: true },
  };
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

async function npmCalls(): Promise<string[]> {
  return (await readFile(join(root, 'npm-calls'), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '');
}

type Run = { child: ChildProcess; output: () => string; exit: Promise<number | null> };

function run(...given: (string | NodeJS.ProcessEnv)[]): Run {
  const args = given.filter((entry) => typeof entry === 'string');
  const extra = given.filter((entry) => typeof entry !== 'string')[0];
  const child = spawn(process.execPath, [join(root, 'tools', 'carte.mjs'), ...args], {
    env: { PATH: '/usr/bin:/bin', npm_execpath: join(root, 'npm.mjs'), ...extra },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  const exit = once(child, 'close').then(() => child.exitCode);
  return { child, output: () => output, exit };
}

async function tool(name: string, source: string): Promise<void> {
  await mkdir(join(root, 'tools'), { recursive: true });
  await writeFile(join(root, 'tools', `${name}.ts`), source);
}

test('a run installs once, passes arguments and exit code, and installs again for a new lock file', async () => {
  await tool(
    'temporal',
    `console.log('said', ...process.argv.slice(2)); process.exitCode = Number(process.argv[3] ?? 0);`,
  );
  const first = run('temporal', 'hello', '3');
  expect(await first.exit).toBe(3);
  expect(first.output()).toMatch(/^Installing packages.*\nsaid hello 3\n$/);

  const second = run('temporal', 'again');
  expect(await second.exit).toBe(0);
  expect(second.output()).toBe('said again\n');

  await lock('1.0.1');
  expect(installationNeed(root)).toBe('stale');
  const third = run('temporal', 'once more');
  expect(await third.exit).toBe(0);
  expect(third.output()).toMatch(/^Packages have changed/);
  expect(await npmCalls()).toHaveLength(2);
  expect((await npmCalls())[0]).toMatch(/^ci /);
});

test('concurrent runs install once', async () => {
  await tool('temporal', '');
  expect(await Promise.all([run('temporal').exit, run('temporal').exit])).toEqual([0, 0]);
  expect(await npmCalls()).toHaveLength(1);
});

test('packages of a manual npm install are recognized by the record of npm', async () => {
  await tool('temporal', '');
  await run('temporal').exit;
  await rm(join(root, 'node_modules', '.carte-lock-digest'));
  const record = async (packages: object) =>
    writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  expect(installationNeed(root)).toBe('stale');
  await record({ 'node_modules/a': { version: '1.0.0' } });
  expect(installationNeed(root)).toBeUndefined();
  await record({ 'node_modules/a': { version: '0.9.0' } });
  expect(installationNeed(root)).toBe('stale');
  await record({ 'node_modules/b': { version: '1.0.0' } });
  expect(installationNeed(root)).toBe('stale');
});

test('a failed installation is reported in one sentence with its exit code, and retried next time', async () => {
  await tool('temporal', '');
  await writeFile(join(root, 'npm-breaks'), '');
  const broken = run('temporal');
  expect(await broken.exit).toBe(7);
  expect(broken.output()).toContain('could not be installed');
  await rm(join(root, 'npm-breaks'));
  expect(await run('temporal').exit).toBe(0);
});

test('a command suppresses warnings of npm about the installed Node, which runs only npm', async () => {
  await tool('temporal', '');
  await run('temporal').exit;

  expect((await npmCalls())[0]).toContain('--loglevel=error');
});

test('an image installs nothing and runs on its own Node', async () => {
  await tool('start', 'console.log(process.execPath, process.version);');
  const program = run('start', { NODE_ENV: 'production' });

  expect(await program.exit).toBe(0);
  expect(program.output()).toBe(`${process.execPath} ${process.version}\n`);
  expect(await npmCalls()).toEqual([]);
});

test('an unknown subcommand and one without an installed program fail and install nothing', async () => {
  const [unknown, absent] = [run('unknown'), run('migrate')];

  expect([await unknown.exit, await absent.exit]).toEqual([2, 2]);
  expect(unknown.output()).toContain(
    'There is no subcommand "unknown". `npm run carte -- help` lists all of them.',
  );
  expect(absent.output()).toContain('not part of this installation: tools/migrate.ts');
  expect(await npmCalls()).toEqual([]);
});

test('a subcommand for a folder runs the program of its first argument', async () => {
  await mkdir(join(root, 'bench'));
  await writeFile(
    join(root, 'bench', 'menu.ts'),
    `console.log('measured', ...process.argv.slice(2));`,
  );
  await writeFile(join(root, 'bench', 'order.ts'), '');
  const [menu, nothing, unknown] = [
    run('bench', 'menu', '--fast'),
    run('bench'),
    run('bench', 'cart'),
  ];

  expect([await menu.exit, await nothing.exit, await unknown.exit]).toEqual([0, 2, 2]);
  expect(menu.output()).toContain('measured --fast\n');
  expect(nothing.output()).toBe('Usage: npm run carte -- bench <menu | order>\n');
  expect(unknown.output()).toBe('Usage: npm run carte -- bench <menu | order>\n');
});

test('the help lists every subcommand in one line without installing, also without arguments', async () => {
  const [help, bare] = [run('help'), run()];

  expect([await help.exit, await bare.exit]).toEqual([0, 0]);
  expect(help.output()).toMatch(/^ {2}migrate +applies migrations/m);
  expect(help.output()).toMatch(/^ {2}bench +measures speed/m);
  expect(bare.output()).toBe(help.output());
  expect(await npmCalls()).toEqual([]);
});

describe('the scripts of package.json', () => {
  const project = new URL('../../../', import.meta.url);
  let scripts: Record<string, string>;
  beforeAll(async () => {
    const manifest = await readFile(new URL('package.json', project), 'utf8');
    scripts = (JSON.parse(manifest) as { scripts: Record<string, string> }).scripts;
  });

  test('consist of at most 15, each for the subcommand of the same name', () => {
    const { carte, ...named } = scripts;

    expect(Object.keys(scripts).length).toBeLessThanOrEqual(15);
    expect(carte).toBe('node tools/carte.mjs');
    expect(
      Object.entries(named).filter(([name, script]) => script !== `node tools/carte.mjs ${name}`),
    ).toEqual([]);
  });

  test('include every command that a document names', async () => {
    const help = run('help');
    await help.exit;
    const subcommands = new Set(
      [...help.output().matchAll(/^ {2}([\w:-]+) +\w/gm)].map(([, name]) => name!),
    );
    const files = [
      'README.md',
      'CONTRIBUTING.md',
      ...globSync('docs/**/*.md', { cwd: fileURLToPath(project) }),
    ];
    const texts = await Promise.all(
      files.map(async (file) => readFile(new URL(file, project), 'utf8')),
    );
    const missing = texts.flatMap((text) => [
      ...[...text.matchAll(/npm run carte -- ([\w:-]+)/g)]
        .map(([, name]) => name!)
        .filter((name) => !subcommands.has(name)),
      ...[...text.matchAll(/npm run ([a-z][\w:-]*)/g)]
        .map(([, name]) => name!)
        .filter((name) => !(name in scripts)),
    ]);

    expect(subcommands.size).toBeGreaterThan(20);
    expect(
      Object.keys(scripts).filter((name) => name !== 'carte' && !subcommands.has(name)),
    ).toEqual([]);
    expect(missing).toEqual([]);
  });
});

const slowStop = `
  process.on('SIGINT', () => { console.log('asked'); setTimeout(() => process.exit(5), 700); });
  setInterval(() => undefined, 1000);
  console.log('ready', process.pid);`;

test('a repeated Ctrl-C reaches the program once, and the entry waits for its end', async () => {
  await tool('temporal', slowStop);
  const { child, output, exit } = run('temporal');
  await waitUntil('the program runs', () => output().includes('ready'));
  child.kill('SIGINT');
  child.kill('SIGINT');
  expect(await exit).toBe(5);
  expect(output().match(/asked/g)).toHaveLength(1);
});

test('the program ends if its entry is killed', async () => {
  await tool('temporal', slowStop);
  const { child, output, exit } = run('temporal');
  await waitUntil('the program runs', () => /ready \d+/.test(output()));
  child.kill('SIGKILL');
  const pid = Number(/ready (\d+)/.exec(output())?.[1]);
  await waitUntil('the program is gone', () => !isAlive(pid));
  expect(await exit).toBeNull();
});

test("a file .env sets variables of the product's programs, and none of other commands", async () => {
  await writeFile(join(root, '.env'), 'TEMPORAL_ADDRESS=from-the-file:7233\nLOG_LEVEL=warn\n');
  const says = `console.log(process.env.TEMPORAL_ADDRESS, process.env.LOG_LEVEL);`;
  await tool('migrate', says);
  await tool('temporal', says);
  const [program, other] = [
    run('migrate', { LOG_LEVEL: 'debug' }),
    run('temporal', { LOG_LEVEL: 'debug' }),
  ];
  await Promise.all([program.exit, other.exit]);

  expect(program.output()).toContain('from-the-file:7233 debug\n');
  expect(other.output()).toContain('undefined debug\n');
  await rm(join(root, '.env'));
  const without = run('migrate');
  expect([await without.exit, without.output()]).toEqual([0, 'undefined undefined\n']);
});
