import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmulator, type Emulator } from '../../../packages/erp-emulator/server.ts';
import { createErpClient } from '../../../erp/client.ts';
import { createLog } from '../../../platform/log.ts';
import { openPorts } from '../../support/erp-ports.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ size: 'demo' });
});
afterAll(() => emulator.stop());

async function fetchToken(apiLogin: string): Promise<string> {
  const response = await fetch(`${emulator.url}/api/v2/access_token`, {
    method: 'POST',
    body: JSON.stringify({ apiLogin }),
  });
  return ((await response.json()) as { token: string }).token;
}

test('[MIR-21] a menu of the recorded size is read completely and passes the schema of what we read', async () => {
  const token = await fetchToken(emulator.apiLogin);
  const erp = createErpClient({
    baseUrl: emulator.url,
    ...openPorts(token),
    log: createLog({ service: 'test', level: 'silent' }),
  });
  const { data } = await erp.organizations(1);
  const organizationIds = data.organizations.slice(0, 10).map(({ id }) => id);
  const request = { externalMenuId: '9001', organizationIds, asyncMode: false };
  const answer = await erp.menu(1, request);
  await erp.close();
  expect(answer.bytes).toBeGreaterThan(5_000_000);
  const menu = answer.data.kind === 'menu' ? answer.data.menu : undefined;
  expect(menu?.products?.length).toBeGreaterThanOrEqual(600);
  expect(menu?.modifiers?.length).toBeGreaterThan(50);
});
