import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { recordEvents } from '../../../modules/events/record-events.ts';
import type { WebhookEndpointWithSecret } from '../../../modules/events/schemas/webhooks.ts';
import { closeServer, listen } from '../../../platform/http-server.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { readCode } from '../../support/guide-blocks.ts';
import { eventually } from '../../support/processes.ts';

const root = resolve(import.meta.dirname, '../../..');
let api: TestApi;
let admin: AdminClient;
let blocks: string[];
beforeAll(async () => {
  api = await startTestApi({ routes, env: { WEBHOOK_PRIVATE_RECEIVERS: 'on' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  blocks = await readCode('docs/guides/events-and-webhooks.md', 'js');
});
afterAll(async () => api?.stop());

const node = (block: string) => ['--input-type=module', '-e', block];

test('[EVT-5] the reader of the guide prints the listed events', async () => {
  await recordEvents(api.deps.db, 'product.published', [
    { id: 7, organizationId: null, data: { productId: 7 } },
  ]);
  const env = { ...process.env, API: api.url, TOKEN: admin.accessToken };
  const { stdout } = await promisify(execFile)(process.execPath, node(blocks[0]!), {
    cwd: root,
    env,
  });

  expect(stdout).toMatch(/^\d+ product\.published product\/7\n$/);
});

test('[EVT-8, EVT-15] the receiver of the guide accepts a signed message', async () => {
  const probe = createServer();
  const port = await listen(probe, { host: '127.0.0.1', port: 0, what: 'A free port' });
  await closeServer(probe);
  const { id, secret } = await admin.post<WebhookEndpointWithSecret>('/webhook-endpoints', {
    url: `http://127.0.0.1:${port}/`,
  });
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const receiver = spawn(process.execPath, node(blocks[1]!), {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = once(receiver.stdout, 'data');
  try {
    await eventually('the receiver accepts the message', async () => {
      const { status } = await admin.post<{ status: number | null }>(
        `/webhook-endpoints/${id}/test`,
      );
      return status === 204 ? true : undefined;
    });

    expect(String((await printed)[0])).toBe(`test webhook-endpoint/${id}\n`);
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(
      401,
    );
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
  }
});
