import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { patientFetch } from '../../../packages/demo/seed/admin-api.ts';
import { seedConnection } from '../../../packages/demo/seed/seed.ts';
import { startEmulator } from '../../../packages/erp-emulator/server.ts';
import { passwordWorks } from '../../../tools/start/administrator.ts';
import { eventually } from '../../support/processes.ts';
import { shareWorkflowBundles } from '../../support/product.ts';
import { prepareStarts, readOutput, type Starts } from '../../support/starts.ts';

const chosen = 'chosen by a person 9!';

let starts: Starts;
let shown: { password: string; products: number[] };
beforeAll(async () => {
  starts = await prepareStarts();
  const first = await starts.start();
  const { password, curl } = readOutput(first.output());
  shown = { password, products: menuBy(curl).products.map((product) => product.id) };
  first.interrupt();
  await first.exited;
}, 700_000);
afterAll(() => starts?.remove());
afterEach(() => starts.end());

const menuBy = (curl: string | undefined) =>
  JSON.parse(starts.runBlock(curl!)) as { products: { id: number }[]; revision: number };

test('a second start keeps the data with other ports, and hides a chosen password', async () => {
  const { folder, env } = starts;
  const { PORT: _p, OPS_PORT: _o, ...unasked } = env;
  await mkdir(`${folder}/other`);
  await shareWorkflowBundles(`${folder}/other`);
  const erp = await startEmulator({ size: 'small' });
  const starting = starts.start({
    ...unasked,
    CARTE_DATA_DIR: `${folder}/other`,
    DEMO: 'off',
    ADMIN_PASSWORD: chosen,
    ERP_URL: erp.url,
  });
  const [second, other] = await Promise.all([starts.start(unasked), starting]);
  const outputs = [second.output(), other.output()];
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
