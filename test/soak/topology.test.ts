import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mayChangeSchema } from '../../platform/db/rights.ts';
import { withClient } from '../../tools/postgres.ts';
import { freeLowPort } from '../../tools/ports.ts';
import { adminClient, type AdminClient } from '../support/admin-client.ts';
import {
  composeServices,
  ONE_SHOTS,
  productServices,
  serviceEnvironment,
  type ComposeService,
} from '../support/compose-services.ts';
import { eventually, startProcess, untilReady, type Started } from '../support/processes.ts';
import { startPrometheus, type Prometheus } from '../support/prometheus.ts';
import { prepareProduct, type Product } from '../support/product.ts';
import { resolveProductionTemporal } from '../../packages/dev/production-temporal.ts';
import { COMPOSE_SECRETS, startEmptyServers, type EmptyServers } from '../support/empty-servers.ts';
import { describeWith, programForTests } from '../support/unless-mandatory.ts';

let servers: EmptyServers;
let product: Product;
let admin: AdminClient;
let organizationId: string;
let unprepared: { code: number | string; output: string };
const processes: Started[] = [];
/** Actual addresses by the name and port in docker-compose.yml. */
const places: Record<string, string> = {};
const apis: string[] = [];
const demoOutputs: string[] = [];
const opsPorts = new Map<string, number>();
const prometheus = await programForTests('prometheus');

/** The environment of a service, with the actual addresses of the servers. */
function buildEnvironment(service: ComposeService): NodeJS.ProcessEnv {
  // Runs the emulator as in the demo profile.
  const variables = { ...product.env, ...COMPOSE_SECRETS, ERP_URL: 'http://emulator:8181' };
  return serviceEnvironment(service, { variables, testSettings: product.env, addresses: places });
}

/** Starts a service, and waits until it is ready or has ended. */
async function startService(name: string, service: ComposeService): Promise<void> {
  const { command = [] } = service;
  const place = places[`${name}:8080`];
  const [port, opsPort] = [
    place === undefined ? await freeLowPort() : new URL(`http://${place}`).port,
    await freeLowPort(),
  ];
  const env = {
    ...buildEnvironment(service),
    PORT: String(port),
    OPS_PORT: String(opsPort),
  };
  const started = startProcess(name, command[0]!, command.slice(1), env);
  processes.push(started);
  if (ONE_SHOTS.includes(name)) {
    const code = await started.exited;
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${started.output()}`);
  } else {
    await untilReady(started, opsPort);
    opsPorts.set(name, opsPort);
    if (name.startsWith('api-')) apis.push(`http://127.0.0.1:${port}`);
  }
}

/** The last process that npm and its entry have started. */
async function innermost(pid: number): Promise<number> {
  const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
    .split(' ')
    .filter(Boolean);
  return child === undefined ? pid : innermost(Number(child));
}

function startDemo(name: string, extra: NodeJS.ProcessEnv = {}): Started {
  const [program, ...args] = composeServices[name]!.command!;
  if (program !== 'node') throw new Error(`${name} is started by ${program}`);
  const started = startProcess(name, process.execPath, args, {
    ...buildEnvironment(composeServices[name]!),
    ...extra,
  });
  processes.push(started);
  return started;
}

async function failedStart(service: ComposeService): Promise<typeof unprepared> {
  const [program = '', ...args] = service.command ?? [];
  const started = startProcess('unprepared', program, args, buildEnvironment(service));
  const code = await started.exited;
  return { code, output: started.output() };
}

beforeAll(async () => {
  servers = await startEmptyServers(
    await resolveProductionTemporal({ log: (line) => void process.stderr.write(`${line}\n`) }),
  );
  const { addresses, namespace } = servers;
  const enter = `postgres://carte_app:${COMPOSE_SECRETS.CARTE_APP_PASSWORD}@${addresses['postgres:5432']}/carte`;
  product = await prepareProduct({
    size: 'small',
    database: { url: enter, drop: async () => undefined, isBare: true },
    temporal: { address: addresses['temporal:7233'], namespace },
    env: { PUBLIC_ORIGINS: 'https://shop.example', ADMIN_ORIGINS: 'https://admin.example' },
  });
  Object.assign(places, addresses);
  for (const name of ['api-1:8080', 'emulator:8181'])
    places[name] = `127.0.0.1:${await freeLowPort()}`;
  // The connections that a server with max_connections = 60 leaves to ordinary roles.
  await withClient(servers.postgresUrl, (client) =>
    client.query('alter role carte_app connection limit 57'),
  );
  const own = productServices;
  // Dependencies start first, the other services concurrently.
  await startService('migrate', composeServices['migrate']!);
  unprepared = await failedStart(composeServices['worker-sync']!);
  for (const [name, service] of own)
    if (ONE_SHOTS.includes(name)) await startService(name, service);
  const lasting = own.filter(([name]) => !ONE_SHOTS.includes(name));
  await Promise.all(lasting.map(([name, service]) => startService(name, service)));
  const { email, password } = product.administrator;
  const emulator = startDemo('emulator', {
    EMULATOR_HOST: '127.0.0.1',
    EMULATOR_PORT: new URL(`http://${places['emulator:8181']}`).port,
  });
  await eventually(
    'the emulator listens',
    async () => emulator.output().includes('listening') || undefined,
  );
  for (const round of ['first', 'second']) {
    const demo = startDemo('demo-catalog');
    const code = await demo.exited;
    if (code !== 0)
      throw new Error(`the ${round} run of demo-catalog ended with ${code}: ${demo.output()}`);
    demoOutputs.push(demo.output());
  }
  await product.settled();
  admin = await adminClient(apis[0]!, email, password);
  const { items } = (await (await fetch(`${apis[0]}/api/v1/organizations`)).json()) as {
    items: { id: string }[];
  };
  organizationId = items[0]!.id;
});
afterAll(async () => {
  await Promise.all(processes.map((entry) => entry.stop()));
  await product?.stop();
  await servers?.stop();
});

type Menu = {
  revision: number;
  products: { id: number; name: string; images: { main: { url: string } | null } }[];
};
const menuAt = async (api: string) =>
  (await (await fetch(`${api}/api/v1/menu?organization_id=${organizationId}`)).json()) as Menu;

describe('the processes of docker-compose.yml', () => {
  test('[OPS-31] run side by side, two API instances and a worker for each role', () => {
    expect(apis).toHaveLength(2);
    expect(processes.map((entry) => entry.name)).toEqual(
      expect.arrayContaining([
        'migrate',
        'temporal-prepare',
        'schedules',
        'worker-sync',
        'worker-order',
        'worker-build',
      ]),
    );
  });

  test('[OPS-57] include the demo catalog from its own program, whose second run adds nothing', async () => {
    const [first, second] = demoOutputs.map((output) =>
      /(\d+) products published now, (\d+) known before/.exec(output)?.slice(1),
    );

    expect(first).toEqual([second?.[1], '0']);
    expect(second).toEqual(['0', first?.[0]]);
    expect(Number(first?.[0])).toBeGreaterThan(200);
  });

  test('[OPS-125] include the failures of the demo once, caused by the emulator', async () => {
    const [first, second] = demoOutputs;
    const incidents = await admin.get<{ total: number }>('/binding-incidents?size=1');
    const orders = await admin.get<{ total: number }>('/orders?status=FAILED&size=1');

    expect(first).toContain('3 things have gone wrong');
    expect(second).not.toContain('things have gone wrong');
    expect([incidents.total, orders.total]).toEqual([1, 1]);
  });

  test('[OPS-69] give builds of menus the lowest priority', async () => {
    const priorities = await Promise.all(
      ['worker-build', 'worker-sync', 'worker-order'].map(async (name) =>
        getPriority(await innermost(processes.find((entry) => entry.name === name)!.child.pid!)),
      ),
    );

    expect(priorities[0]).toBeGreaterThan(0);
    expect(priorities.slice(1)).toEqual([0, 0]);
  });

  test('[OPS-20] need a prepared Temporal, and report its absence in one sentence', () => {
    expect(unprepared.code).toBe(1);
    expect(unprepared.output).toMatch(
      /^Temporal has no namespace "[^"]+": run `npm run temporal:prepare` first\.$/m,
    );
    expect(unprepared.output).not.toMatch(/^ +at /m);
  });

  test('publish an edit of one instance on both', async () => {
    const [first, second] = [await menuAt(apis[0]!), await menuAt(apis[1]!)];
    const product = first.products[0]!;
    const { version } = await admin.get<{ version: number }>(`/products/${product.id}`);
    await admin.patch(`/products/${product.id}`, { version, name: 'Новое имя' });

    const seen = await Promise.all(
      apis.map((api) =>
        eventually(
          `the new name at ${api}`,
          async () => {
            const menu = await menuAt(api);
            return menu.products.some(
              (entry) => entry.id === product.id && entry.name === 'Новое имя',
            )
              ? menu.revision
              : undefined;
          },
          60_000,
        ),
      ),
    );

    expect(second.revision).toBe(first.revision);
    expect(seen).toEqual([first.revision + 1, first.revision + 1]);
  });

  test('accept a token of one instance at the other', async () => {
    const answer = await fetch(`${apis[1]}/api/admin/v1/me`, {
      headers: { authorization: `Bearer ${admin.accessToken}` },
    });

    expect(answer.status).toBe(200);
  });

  test('[OPS-38] need at most the 60 connections of a server, also under concurrent requests', async () => {
    const ask = (api: string) =>
      fetch(`${api}/api/admin/v1/products?size=20`, {
        headers: { authorization: `Bearer ${admin.accessToken}` },
      });
    const answers = await Promise.all(
      Array.from(
        { length: 160 },
        async (_, index) => (await ask(apis[index % apis.length]!)).status,
      ),
    );
    const [busy] = await withClient(
      servers.postgresUrl,
      async (client) =>
        (
          await client.query(
            `select count(*)::int as open from pg_stat_activity where usename = 'carte_app'`,
          )
        ).rows,
    );

    expect(new Set(answers)).toEqual(new Set([200]));
    // Both instances have filled their pools.
    expect(busy.open).toBeGreaterThanOrEqual(20);
    expect(
      processes.filter((entry) => /too many (?:connections|clients)|53300/.test(entry.output())),
    ).toEqual([]);
  });

  test('[OPS-30] keep each role to its own databases', async () => {
    const host = servers.addresses['postgres:5432'];
    const may = (role: string, password: string, name: string) =>
      withClient(`postgres://${role}:${password}@${host}/${name}`, async () => 'enters').catch(
        ({ code }: { code: string }) => code,
      );
    const {
      CARTE_APP_PASSWORD: app,
      CARTE_OWNER_PASSWORD: owner,
      TEMPORAL_DATABASE_PASSWORD: temporal,
    } = COMPOSE_SECRETS;

    expect([
      await may('carte_app', app, 'carte'),
      await may('carte_owner', owner, 'carte'),
    ]).toEqual(['enters', 'enters']);
    for (const name of ['temporal', 'temporal_visibility', 'postgres']) {
      expect(await may('carte_app', app, name)).toBe('42501');
      expect(await may('carte_owner', owner, name)).toBe('42501');
    }
    expect(await may('temporal', temporal, 'temporal')).toBe('enters');
    expect(await may('temporal', temporal, 'carte')).toBe('42501');
    const roles = await withClient(
      servers.postgresUrl,
      async (client) =>
        (
          await client.query(
            `select rolname from pg_roles where rolname in ('carte_app', 'carte_owner', 'temporal') and (rolsuper or rolcreatedb or rolcreaterole)`,
          )
        ).rows,
    );
    expect(roles).toEqual([]);
    expect(await mayChangeSchema(product.db)).toBe(false);
  });

  test('[OPS-31] serve pictures of the prepared bucket, also those stored by other instances', async () => {
    const { products } = await menuAt(apis[1]!);
    const shown = products.find(({ images }) => images.main !== null)!;
    const picture = await fetch(new URL(shown.images.main!.url, apis[1]));

    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });
});

// Prometheus is not an npm package. Without it this is not tested; with CI=true that fails.
describeWith(prometheus, 'Prometheus as docker-compose.yml starts it', () => {
  type Targets = {
    activeTargets: { scrapePool: string; health: string; scrapeUrl: string; lastError: string }[];
  };
  type Rules = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };
  type Found = { result: { metric: { job: string } }[] };

  let reader: Prometheus;
  beforeAll(async () => {
    reader = await startPrometheus(prometheus!, composeServices['prometheus']!.command!, opsPorts);
  });
  afterAll(() => reader?.stop());

  test('[OPS-65] reads every process that keeps running, and preserves the labels of its metrics', async () => {
    const read = await eventually('all processes are read', async () => {
      // contract/compose/monitoring covers the other targets.
      const { activeTargets: all } = await reader.ask<Targets>('targets');
      const activeTargets = all.filter(({ scrapePool }) => scrapePool === 'carte');
      const isRead =
        activeTargets.length === opsPorts.size &&
        // A process of the lowest priority may miss single scrapes of a busy machine.
        activeTargets.every(({ health }) => health === 'up');
      return isRead ? activeTargets : undefined;
    });
    const imports = await reader.ask<Found>('query?query=erp_last_success_timestamp');

    expect(new Set(read.map(({ scrapeUrl }) => Number(new URL(scrapeUrl).port)))).toEqual(
      new Set(opsPorts.values()),
    );
    expect(imports.result.map(({ metric }) => metric.job)).toEqual(
      expect.arrayContaining(['MENU', 'STOP_LIST']),
    );
  });

  test('[OPS-65] evaluates every alert without an error', async () => {
    const rules = await eventually('all rules are evaluated', async () => {
      const all = (await reader.ask<Rules>('rules')).groups.flatMap((group) => group.rules);
      return all.every(({ health }) => health !== 'unknown') ? all : undefined;
    });

    expect(rules.length).toBeGreaterThan(50);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  });
});
