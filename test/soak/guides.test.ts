import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DEMO_API_LOGIN } from '../../packages/erp-emulator/data/dataset.ts';
import { resolveProductionTemporal } from '../../packages/dev/production-temporal.ts';
import { freeLowPort } from '../../tools/ports.ts';
import {
  composeServices,
  ONE_SHOTS,
  productServices,
  serviceEnvironment,
  type ComposeService,
} from '../support/compose-services.ts';
import { COMPOSE_SECRETS, startEmptyServers, type EmptyServers } from '../support/empty-servers.ts';
import { startGateway, type Gateway } from '../support/gateway.ts';
import { composeCommand, guideSteps } from '../support/guide-commands.ts';
import { drawPicture } from '../../packages/demo/seed/pictures.ts';
import { buildPortrait } from '../../packages/demo/seed/portraits.ts';
import { root, startProcess, untilReady, type Started } from '../support/processes.ts';
import { prepareProduct, type Product } from '../support/product.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { describeWith, programForTests } from '../support/unless-mandatory.ts';

// Services run as processes with the command and environment of docker-compose.yml. Commands that
// need a container engine are listed.

type Place = { port: number; opsPort: number };

const nginx = await programForTests('nginx');
let folder: string;
let servers: EmptyServers;
let product: Product;
let gateway: Gateway | undefined;
let settings: NodeJS.ProcessEnv = {};
const places = new Map<string, Place>();
const running = new Map<string, Started>();
const notExecuted: string[] = [];
/** Commits that the current image and an image of another release report. */
const [CURRENT, NEXT] = ['1'.repeat(40), '2'.repeat(40)];
let image = CURRENT;
let firstMenu: { output: string; url: string };

function buildEnvironment(service: ComposeService): NodeJS.ProcessEnv {
  // The object storage of the tests accepts one key only.
  const variables = { ...settings, ...COMPOSE_SECRETS };
  const addresses = servers.addresses;
  return {
    ...serviceEnvironment(service, { variables, testSettings: product.env, addresses }),
    BUILD_COMMIT: image,
  };
}

async function runService(
  name: string,
  command = composeServices[name]!.command!,
): Promise<string> {
  const started = startProcess(
    name,
    command[0]!,
    command.slice(1),
    buildEnvironment(composeServices[name]!),
  );
  const code = await started.exited;
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${started.output()}`);
  return started.output();
}

async function up(name: string): Promise<void> {
  const { command = [] } = composeServices[name]!;
  const { port, opsPort } = places.get(name)!;
  await running.get(name)?.stop();
  const env = {
    ...buildEnvironment(composeServices[name]!),
    PORT: String(port),
    OPS_PORT: String(opsPort),
  };
  const started = startProcess(name, command[0]!, command.slice(1), env);
  running.set(name, started);
  await untilReady(started, opsPort);
}

async function upAll(): Promise<void> {
  for (const name of ONE_SHOTS) await runService(name);
  const lasting = productServices.map(([name]) => name).filter((name) => !ONE_SHOTS.includes(name));
  for (const name of lasting)
    places.set(name, { port: await freeLowPort(), opsPort: await freeLowPort() });
  await Promise.all(lasting.map(up));
  const [one, other] = ['api-1', 'api-2'].map(
    (name) => `http://127.0.0.1:${places.get(name)!.port}`,
  );
  gateway = await startGateway(nginx!, [one!, other!]);
}

async function execute(line: string): Promise<void> {
  if (line.startsWith('npm run carte -- env:new ')) return writeSettings(line);
  const command = composeCommand(line);
  if (command === undefined) notExecuted.push(line);
  else if (command.kind === 'run') await runService(command.service, command.command);
  else await (command.service === undefined ? upAll() : up(command.service));
}

/** Runs `env:new` with the ERP of this test and a file in a separate folder. */
async function writeSettings(line: string): Promise<void> {
  const file = join(folder, '.env');
  const args = line.replace('https://erp.example.com', product.emulator.url).split(' ').slice(5);
  await promisify(execFile)(process.execPath, [
    join(root, 'tools/env-new.ts'),
    ...args,
    '--file',
    file,
  ]);
  settings = parseEnv(await readFile(file, 'utf8')) as NodeJS.ProcessEnv;
}

describeWith(nginx, 'the guides for operators', () => {
  beforeAll(async () => {
    folder = await temporaryFolder('guides');
    servers = await startEmptyServers(
      await resolveProductionTemporal({ log: (line) => void process.stderr.write(`${line}\n`) }),
    );
    const { addresses, namespace } = servers;
    product = await prepareProduct({
      size: 'small',
      database: {
        url: `postgres://carte_app:${COMPOSE_SECRETS.CARTE_APP_PASSWORD}@${addresses['postgres:5432']}/carte`,
        drop: async () => undefined,
        isBare: true,
      },
      temporal: { address: addresses['temporal:7233'], namespace },
    });
    await writeFile(
      join(folder, 'dish.jpg'),
      await drawPicture(buildPortrait('soup', 'Борщ'), 300),
    );
    const steps = await guideSteps('docs/guides/from-an-empty-host.md');
    for (const { text } of steps.filter(({ kind }) => kind === 'host')) await execute(text);
    const script = steps.filter(({ kind }) => kind === 'script').map(({ text }) => text);
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euo', 'pipefail', '-c', script.join('\n')],
      {
        cwd: folder,
        env: { PATH: process.env['PATH'], API: gateway!.url, API_LOGIN: DEMO_API_LOGIN },
        timeout: 240_000,
      },
    );
    firstMenu = { output: stdout, url: /^Menu: (.*)$/m.exec(stdout)![1]! };
  });
  afterAll(async () => {
    await gateway?.stop();
    await Promise.all([...running.values()].map((started) => started.stop()));
    await product?.stop();
    await servers?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('[OPS-126] the guide leads from an empty host to a menu with a dish and its picture at the gateway', async () => {
    const menu = (await (await fetch(firstMenu.url)).json()) as { products: unknown[] };

    expect(notExecuted).toEqual([]);
    expect(new URL(firstMenu.url).origin).toBe(gateway!.url);
    expect(menu.products).toHaveLength(1);
    expect(firstMenu.output).toMatch(/HTTP\/1\.1 200 [\s\S]*content-type: image\/webp/i);
  });

  test('[OPS-127] an upgrade and a rollback replace every process while guests read menus', async () => {
    const steps = await guideSteps('docs/guides/upgrade.md');
    const before = new Map([...running].map(([name, { child }]) => [name, child.pid]));
    const statuses = new Set<number>();
    const done = new AbortController();
    const guests = (async () => {
      while (!done.signal.aborted) {
        statuses.add((await fetch(firstMenu.url)).status);
        await delay(50);
      }
    })();
    notExecuted.length = 0;
    const commits: unknown[] = [];
    try {
      for (const [at, { text }] of steps.entries()) {
        if (text.startsWith('docker compose build')) image = NEXT;
        if (text === 'docker tag carte:previous carte:local') image = CURRENT;
        await execute(text);
        if (steps[at + 1] === undefined || steps[at + 1]!.text.startsWith('docker tag'))
          commits.push(await release());
      }
    } finally {
      done.abort();
      await guests;
    }
    const after = new Map([...running].map(([name, { child }]) => [name, child.pid]));

    expect(steps.every(({ kind }) => kind === 'host')).toBe(true);
    expect(commits).toEqual([CURRENT, NEXT, CURRENT]);
    expect([...after].filter(([name, pid]) => before.get(name) === pid)).toEqual([]);
    expect([...statuses]).toEqual([200]);
    expect(notExecuted).toEqual([
      'docker compose exec -T postgres pg_dump --username=postgres --format=custom --file=/tmp/carte.dump carte',
      'docker compose cp postgres:/tmp/carte.dump carte.dump',
      'docker tag carte:local carte:previous',
      'docker compose build migrate',
      'docker tag carte:previous carte:local',
    ]);
  });

  async function release(): Promise<unknown> {
    const live = await fetch(`http://127.0.0.1:${places.get('api-1')!.opsPort}/health/live`);
    return ((await live.json()) as { commit?: unknown }).commit;
  }
});
