import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmulator, type Emulator } from '../../../emulator/server.ts';
import { createErpClient } from '../../../erp/client.ts';
import { createLog } from '../../../platform/log.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ size: 'demo' });
});
afterAll(() => emulator.stop());

async function tokenOf(apiLogin: string): Promise<string> {
  const response = await fetch(`${emulator.url}/api/v2/access_token`, {
    method: 'POST',
    body: JSON.stringify({ apiLogin }),
  });
  return ((await response.json()) as { token: string }).token;
}

test('a menu of 5.4 MB is fetched, parsed and validated in well under a second', async () => {
  const token = await tokenOf(emulator.apiLogin);
  const erp = createErpClient({
    baseUrl: emulator.url,
    tokens: { token: async () => ({ token, generation: 1 }) },
    limiter: { acquire: async () => undefined },
    log: createLog({ service: 'test', level: 'silent' }),
  });
  const { data } = await erp.organizations(1);
  const organizationIds = data.organizations.slice(0, 10).map(({ id }) => id);
  const request = { externalMenuId: '9001', organizationIds, asyncMode: false };
  await erp.menu(1, request);
  const startedAt = performance.now();
  const answer = await erp.menu(1, request);
  const ms = performance.now() - startedAt;
  await erp.close();
  expect(answer.bytes).toBeGreaterThan(5_000_000);
  expect(answer.data.kind).toBe('menu');
  expect(ms).toBeLessThan(800);
});
