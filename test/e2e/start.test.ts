import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startEmulator } from '../../packages/erp-emulator/server.ts';
import { seedConnection } from '../../packages/demo/seed/seed.ts';
import { patientFetch } from '../../packages/demo/seed/admin-api.ts';
import { freeLowPort } from '../../tools/ports.ts';
import { passwordWorks } from '../../tools/start/administrator.ts';
import { installClient } from '../support/client-package.ts';
import { signInCustomer } from '../../packages/demo/seed/sign-in-customer.ts';
import { codeOf, guidesExecutedBy } from '../support/guide-blocks.ts';
import { eventually, root, startProcess, type Started } from '../support/processes.ts';
import { shareWorkflowBundles } from '../support/product.ts';
import { wholeInSoak } from '../support/repetitions.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await temporaryFolder('start');
  // The whole run also builds the bundles of a fresh data folder.
  await wholeInSoak(async () => undefined, shareWorkflowBundles)(folder);
  const { TEMPORAL_ADDRESS: _t, DATABASE_URL: _d, ERP_URL: _e, ...rest } = process.env;
  env = {
    ...rest,
    CARTE_DATA_DIR: folder,
    PORT: String(await freeLowPort()),
    OPS_PORT: String(await freeLowPort()),
    NODE_OPTIONS: '',
    // Building the documentation takes two cores half a minute.
    DOCS_SITE: wholeInSoak('on', 'off'),
    DEMO: wholeInSoak('on', 'small'),
  };
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

const running: Started[] = [];
afterEach(() => Promise.all(running.splice(0).map((entry) => entry.kill())));
function run(command: string, args: readonly string[], variables: NodeJS.ProcessEnv): Started {
  const started = startProcess('npm start', command, args, variables);
  running.push(started);
  return started;
}
const start = (extra: NodeJS.ProcessEnv = {}) => run('npm', ['start'], { ...env, ...extra });
/** Starts without npm, for starts that end at once. */
const refuse = (extra: NodeJS.ProcessEnv) =>
  run(process.execPath, ['tools/carte.mjs', 'start'], { ...env, ...extra });
const freePorts = async () => ({
  PORT: String(await freeLowPort()),
  OPS_PORT: String(await freeLowPort()),
});

async function untilStarted(started: Started): Promise<string> {
  return eventually(
    'the start',
    async () => {
      if (started.child.exitCode !== null)
        throw new Error(`ended with ${started.child.exitCode}: ${started.output()}`);
      return started.output().includes('Carte is ready.') && started.output().includes('Ctrl-C')
        ? started.output()
        : undefined;
    },
    600_000,
  );
}

function familyOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const parents = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const family = new Set([pid]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child);
  }
  return [...family];
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** An environment with node and npm only: no `temporal`, no Go, no cache, no download. */
async function withoutPrograms(): Promise<NodeJS.ProcessEnv> {
  const programs = `${folder}/programs`;
  await mkdir(programs, { recursive: true });
  for (const name of ['node', 'npm', 'ps', 'sh', 'id', 'sleep', 'rm']) {
    const path = execFileSync('which', [name], { encoding: 'utf8' }).trim();
    await symlink(await realpath(path), `${programs}/${name}`);
  }
  return {
    PATH: programs,
    CARTE_CACHE_DIR: `${folder}/empty-cache`,
    CARTE_TEMPORAL_DOWNLOAD: 'off',
  };
}

/** Runs the TypeScript of the storefront guide. Returns its output. */
async function runTypeScript(url: string): Promise<string> {
  const project = `${folder}/storefront`;
  await installClient(project);
  await writeFile(`${project}/package.json`, '{"type":"module"}');
  const program = (await codeOf('docs/guides/storefront.md', 'ts')).join('');
  await writeFile(`${project}/shop.ts`, program.replaceAll('http://127.0.0.1:8080', url));
  return execFileSync(process.execPath, ['shop.ts'], { cwd: project, encoding: 'utf8' });
}

const runBlock = (block: string, extra: NodeJS.ProcessEnv) =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', block], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, ...extra },
  });

function readOutput(output: string) {
  const [, email, password] = /Administrator\s+(\S+)\s+(\S+)/.exec(output)!;
  return {
    api: /API\s+(\S+)\/api\/v1 /.exec(output)![1]!,
    email: email!,
    password: password!,
    curl: /A menu\s+(curl .*)/.exec(output)?.[1],
    ports: new Set(output.match(/http:\/\/127\.0\.0\.1:\d+/g)!.map((text) => new URL(text).port)),
  };
}
const menuBy = (curl: string | undefined) =>
  JSON.parse(runBlock(curl!, {})) as { products: { id: number }[]; revision: number };

describe('the command npm start', () => {
  const chosen = 'chosen by a person 9!';
  let shown: { password: string; products: number[] };

  test('[OPS-188] prints all URLs, the README works as written, and Ctrl-C leaves no process', async () => {
    const readme = await codeOf('README.md', 'sh');
    // The guides take minutes. A later block uses values of an earlier one.
    const guides = await Promise.all(
      wholeInSoak(guidesExecutedBy('test/e2e/start.test.ts'), []).map(async (guide) =>
        (await codeOf(`docs/guides/${guide}`, 'sh')).join(''),
      ),
    );
    const first = start();
    const output = await untilStarted(first);
    const family = familyOf(first.child.pid!);
    const { api, email, password, curl } = readOutput(output);

    expect(output).toMatch(/API reference\s+http/);
    expect(output).toMatch(/Temporal UI\s+http/);
    expect(output).toMatch(/ERP emulator\s+http/);
    const customer = await signInCustomer(/Customers\s+(\S+)/.exec(output)![1]!, '+79990001122');
    // A request with an invalid token must not reveal that the cart does not exist.
    const noCart = `${api}/api/v1/cart?cart_id=00000000-0000-4000-8000-000000000000`;
    const asCustomer = async (token: string) =>
      (await fetch(noCart, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await asCustomer(customer), await asCustomer(`${customer}x`)]).toEqual([404, 401]);
    expect(output).toMatch(/Metrics\s+http/);
    expect(api).toBe(`http://127.0.0.1:${env['PORT']}`);
    expect(family.length).toBeGreaterThan(6);
    expect(readme.map((block) => block.trim())).toEqual(['npm start', 'npm test']);
    expect(await readFile(`${root}.ci/run`, 'utf8')).toContain('exec npm test');
    const organizations = (await (await fetch(`${api}/api/v1/organizations`)).json()) as {
      total: number;
    };
    expect(organizations.total).toBe(wholeInSoak(12, 2));
    shown = { password, products: menuBy(curl).products.map((product) => product.id) };
    const reader = {
      API: api,
      OPS: `http://127.0.0.1:${env['OPS_PORT']}`,
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      CUSTOMER: customer,
    };
    for (const guide of guides) expect(runBlock(guide, reader).length).toBeGreaterThan(0);
    for (const runGuide of wholeInSoak([runTypeScript], []))
      expect(await runGuide(api)).toMatch(
        /^Nothing has changed\.$[\s\S]*^\d+ (ACCEPTED|SENT|CONFIRMED) [A-Z]/m,
      );
    for (const address of [
      `${api}/docs`,
      `${/Metrics\s+(\S+)/.exec(output)![1]}`,
      `${/Temporal UI\s+(\S+)/.exec(output)![1]}`,
    ]) {
      expect((await fetch(address)).status).toBe(200);
    }

    first.interrupt();
    // npm ends by the signal; its children must have ended in order.
    expect([0, 130, 'SIGINT']).toContain(await first.exited);
    expect(first.output()).toMatch(/Stopping …[\s\S]*\nStopped\.\n/);
    await eventually('every process is gone', async () =>
      family.some(isAlive) ? undefined : true,
    );
  }, 700_000);

  test('keeps the data in a second start with other ports, and hides a chosen password', async () => {
    const { PORT: _p, OPS_PORT: _o, ...unasked } = env;
    await mkdir(`${folder}/other`);
    await shareWorkflowBundles(`${folder}/other`);
    const erp = await startEmulator({ size: 'small' });
    const other = run('npm', ['start'], {
      ...unasked,
      CARTE_DATA_DIR: `${folder}/other`,
      DEMO: 'off',
      ADMIN_PASSWORD: chosen,
      ERP_URL: erp.url,
    });
    const second = run('npm', ['start'], unasked);
    const outputs = await Promise.all([untilStarted(second), untilStarted(other)]);
    const [own, others] = outputs.map(readOutput) as [
      ReturnType<typeof readOutput>,
      ReturnType<typeof readOutput>,
    ];
    const afterRestart = menuBy(own.curl);
    const administrator = { email: others.email, password: chosen };
    const works = [
      await passwordWorks(others.api, administrator),
      await passwordWorks(own.api, administrator),
    ];
    second.interrupt();
    const organizations = async () =>
      (
        (await (await patientFetch(`${others.api}/api/v1/organizations`)).json()) as {
          total: number;
        }
      ).total;
    const unknown = await organizations();
    await seedConnection({
      baseUrl: others.api,
      ...administrator,
      apiLogin: erp.apiLogin,
      log: () => undefined,
    });
    const existing = await eventually(
      'the organizations',
      async () => (await organizations()) || undefined,
      undefined,
      500,
    );
    other.interrupt();
    await Promise.all([second.exited, other.exited]);
    await erp.stop();

    expect(own.password).toBe(shown.password);
    expect(afterRestart.products.map((product) => product.id)).toEqual(shown.products);
    expect(own.ports.intersection(others.ports)).toEqual(new Set());
    expect(works).toEqual([true, false]);
    expect(outputs[1]).toMatch(/Administrator\s+\S+\s+\(the password in ADMIN_PASSWORD\)/);
    expect(outputs[1]).not.toMatch(/emulator|Customers/);
    expect([unknown, existing]).toEqual([0, 2]);
    expect(other.output()).not.toContain(chosen);
    const files = [
      '--recursive',
      '--files-with-matches',
      '--text',
      '--fixed-strings',
      chosen,
      `${folder}/other`,
    ];
    expect(spawnSync('grep', files).stdout.toString()).toBe('');
    for (const started of [second, other]) expect(started.output()).toContain('\nStopped.\n');
  }, 700_000);

  test.each(['PORT', 'OPS_PORT', 'EMULATOR_PORT'])(
    'reports in one sentence that the port of %s is in use',
    async (variable) => {
      const blocker = createServer().listen(0, '127.0.0.1');
      await eventually('listening', async () => (blocker.listening ? true : undefined));
      const port = (blocker.address() as { port: number }).port;
      const started = refuse({ [variable]: String(port) });

      const code = await started.exited;
      blocker.close();

      expect(code).toBe(1);
      expect(started.output()).toMatch(
        new RegExp(`port ${port} .* in use; .* or set ${variable} to another port`),
      );
      expect(started.output()).not.toMatch(/\n\s+at /);
    },
  );

  test.each([
    [
      'a database that does not answer',
      async () => ({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' }),
      /database/i,
    ],
    ['a database URL that is none', async () => ({ DATABASE_URL: 'mysql://x' }), /DATABASE_URL/],
    ['a missing Temporal binary', withoutPrograms, /Temporal/],
  ])('reports in one sentence that there is %s', async (_, extra, sentence) => {
    const started = refuse({
      ...(await freePorts()),
      ...(await extra()),
      CARTE_DATA_DIR: `${folder}/broken`,
    });

    const code = await started.exited;

    expect(code).toBe(1);
    expect(started.output()).toMatch(sentence);
    expect(started.output()).not.toMatch(/\n\s+at /);
    expect(started.output()).not.toContain('nobody:x@');
  });
});
