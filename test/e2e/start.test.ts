import { execFileSync } from 'node:child_process';
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { signInCustomer } from '../../packages/demo/seed/sign-in-customer.ts';
import { freeLowPort } from '../../tools/ports.ts';
import { installClient } from '../support/client-package.ts';
import { guidesExecutedBy, readCode } from '../support/guide-blocks.ts';
import { eventually, root } from '../support/processes.ts';
import { wholeInSoak } from '../support/repetitions.ts';
import { prepareStarts, readOutput, type Starts } from '../support/starts.ts';

let starts: Starts;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  starts = await prepareStarts();
  ({ folder, env } = starts);
});
afterAll(() => starts?.remove());
afterEach(() => starts.end());

/** Starts without npm, for starts that end at once. */
const refuse = (extra: NodeJS.ProcessEnv) =>
  starts.run(process.execPath, ['tools/carte.mjs', 'start'], { ...env, ...extra });
const freePorts = async () => ({
  PORT: String(await freeLowPort()),
  OPS_PORT: String(await freeLowPort()),
});

function listFamily(pid: number): number[] {
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

async function runTypeScript(url: string): Promise<string> {
  const project = `${folder}/storefront`;
  await installClient(project);
  await writeFile(`${project}/package.json`, '{"type":"module"}');
  const program = (await readCode('docs/guides/storefront.md', 'ts')).join('');
  await writeFile(`${project}/shop.ts`, program.replaceAll('http://127.0.0.1:8080', url));
  return execFileSync(process.execPath, ['shop.ts'], { cwd: project, encoding: 'utf8' });
}

describe('the command npm start', () => {
  test('[OPS-188] prints all URLs, the README works as written, and Ctrl-C leaves no process', async () => {
    const readme = await readCode('README.md', 'sh');
    // The guides take minutes, so only the long run executes them.
    const guides = await Promise.all(
      wholeInSoak(guidesExecutedBy('test/e2e/start.test.ts'), []).map(async (guide) =>
        (await readCode(`docs/guides/${guide}`, 'sh')).join(''),
      ),
    );
    const first = await starts.start();
    const output = first.output();
    const family = listFamily(first.child.pid!);
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
    const menu = JSON.parse(starts.runBlock(curl!)) as { products: object[] };
    expect(menu.products.length).toBeGreaterThan(0);
    const reader = {
      API: api,
      OPS: `http://127.0.0.1:${env['OPS_PORT']}`,
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
      CUSTOMER: customer,
    };
    for (const guide of guides) expect(starts.runBlock(guide, reader).length).toBeGreaterThan(0);
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
    // The signal ends npm. Its children must have stopped normally.
    expect([0, 130, 'SIGINT']).toContain(await first.exited);
    expect(first.output()).toMatch(/Stopping …[\s\S]*\nStopped\.\n/);
    await eventually('every process is gone', async () =>
      family.some(isAlive) ? undefined : true,
    );
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
