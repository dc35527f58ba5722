import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { freeLowPort } from '../../tools/ports.ts';
import { adminClient, type AdminClient } from '../support/admin-client.ts';
import { eventually, root, startProcess, untilReady, type Started } from '../support/processes.ts';
import { prepareProduct, type Product } from '../support/product.ts';

/** Services that do their work and end. */
const ENDS = ['migrate', 'temporal-prepare', 'schedules'];

type Compose = { services: Record<string, { build?: unknown; command?: string[] }> };

let product: Product;
let admin: AdminClient;
let organizationId: string;
let unprepared: { code: number | string; output: string };
const processes: Started[] = [];
const apis: string[] = [];

/** Starts one service of docker-compose.yml by its own command, and waits until it is ready or has done its work. */
async function startService(name: string, command: readonly string[]): Promise<void> {
  const [port, opsPort] = [await freeLowPort(), await freeLowPort()];
  // A poll that never comes: what the instances show they know from the notification.
  const env = {
    ...product.env,
    HOME: process.env['HOME'],
    PORT: String(port),
    OPS_PORT: String(opsPort),
    SNAPSHOT_POLL: '1h',
  };
  const started = startProcess(name, command[0]!, command.slice(1), env);
  processes.push(started);
  if (ENDS.includes(name)) {
    const code = await started.exited;
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${started.output()}`);
  } else {
    await untilReady(started, opsPort);
    if (name.startsWith('api-')) apis.push(`http://127.0.0.1:${port}`);
  }
}

/** Runs a command that is to end by itself. */
async function failedStart([program = '', ...args]: readonly string[]): Promise<typeof unprepared> {
  const started = startProcess('unprepared', program, args, { ...product.env, HOME: process.env['HOME'] });
  const code = await started.exited;
  return { code, output: started.output() };
}

beforeAll(async () => {
  product = await prepareProduct({ size: 'small', bareTemporal: true });
  const { services } = parse(await readFile(`${root}docker-compose.yml`, 'utf8'), { merge: true }) as Compose;
  const own = Object.entries(services).filter(([, { build }]) => build !== undefined);
  unprepared = await failedStart(services['worker-sync']!.command!);
  // What the others wait for, as the file says, comes first; those start at once.
  for (const [name, { command = [] }] of own) if (ENDS.includes(name)) await startService(name, command);
  const lasting = own.filter(([name]) => !ENDS.includes(name));
  await Promise.all(lasting.map(([name, { command = [] }]) => startService(name, command)));
  const { email, password } = product.administrator;
  await product.seed(apis[0]!);
  await product.settled();
  admin = await adminClient(apis[0]!, email, password);
  const { items } = (await (await fetch(`${apis[0]}/api/v1/organizations`)).json()) as { items: { id: string }[] };
  organizationId = items[0]!.id;
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.stop()));
  await product?.stop();
});

type Menu = { revision: number; products: { id: number; name: string }[] };
const menuAt = async (api: string) =>
  (await (await fetch(`${api}/api/v1/menu?organization_id=${organizationId}`)).json()) as Menu;

describe('the processes of docker-compose.yml', () => {
  test('run side by side, two API instances and a worker for each role', () => {
    expect(apis).toHaveLength(2);
    expect(processes.map((each) => each.name)).toEqual(
      expect.arrayContaining(['migrate', 'temporal-prepare', 'schedules', 'worker-sync', 'worker-order']),
    );
  });

  test('need a prepared Temporal, and say so in one sentence', () => {
    expect(unprepared.code).toBe(1);
    expect(unprepared.output).toMatch(/^Temporal has no namespace "[^"]+": run `npm run temporal:prepare` first\.$/m);
    expect(unprepared.output).not.toMatch(/^ +at /m);
  });

  test('an edit on one instance is public on both, by notification alone', async () => {
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
            return menu.products.some((each) => each.id === product.id && each.name === 'Новое имя')
              ? menu.revision
              : undefined;
          },
          15_000,
        ),
      ),
    );

    expect(second.revision).toBe(first.revision);
    expect(seen).toEqual([first.revision + 1, first.revision + 1]);
  });

  test('a token of one instance is good at the other', async () => {
    const answer = await fetch(`${apis[1]}/api/admin/v1/me`, {
      headers: { authorization: `Bearer ${admin.accessToken}` },
    });

    expect(answer.status).toBe(200);
  });
});
