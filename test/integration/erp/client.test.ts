import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { createErpPorts } from '../../../modules/connections/erp-calls/erp-ports.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openDatabase } from '../../../modules/own-database.ts';
import { startEmulator, type Emulator } from '../../../packages/erp-emulator/server.ts';
import { createErpClient } from '../../../erp/client.ts';
import type { ErpRequestEvent, ExchangeEntry } from '../../../erp/ports.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { readEnv } from '../../../modules/env.ts';
import { openErpClient } from '../../../modules/wire-product.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aConnection, testSecrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { eventually } from '../../support/processes.ts';
import { deleteRows, fromNow, selectRows, updateRows } from '../../support/rows.ts';

type Call = { endpoint: string; status: number | null; request: Record<string, unknown> };

const TOKEN = '/api/v2/access_token';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let emulator: Emulator;
let connectionId: number;
let erp: ReturnType<typeof createErpClient>;
let organizationIds: string[];
const events: ErpRequestEvent[] = [];
const exchanges: ExchangeEntry[] = [];
const logged: string[] = [];

beforeAll(async () => {
  [database, emulator] = await Promise.all([migratedDatabase(), startEmulator({ size: 'small' })]);
  const { db } = database;
  connectionId = (await aConnection(db, emulator.apiLogin)).id;
  erp = createErpClient({
    baseUrl: emulator.url,
    ...createErpPorts({ db, secrets: testSecrets, perSecond: null }),
    log: createLog({
      service: 'test',
      level: 'trace',
      destination: { write: (line) => void logged.push(line) },
    }),
    onRequest: (event) => events.push(event),
    exchangeLog: {
      write: async (entry) => void exchanges.push(entry),
      close: async () => undefined,
    },
  });
  organizationIds = (await erp.organizations(connectionId)).data.organizations.map(({ id }) => id);
});

afterAll(async () => {
  await erp.close();
  await emulator.stop();
  await database.close();
});

afterEach(async () => {
  await emulator.control('clear-faults');
  await deleteRows(database.db, 'erp_hold');
});

const notification = () =>
  database.db.db
    .selectFrom('notification')
    .where('subjectId', '=', String(connectionId))
    .select((row) => [row('resolvedAt', 'is', null).as('open'), 'details'])
    .orderBy('id', 'desc')
    .limit(1)
    .execute();

async function callsDuring(work: (since: number) => Promise<unknown>): Promise<Call[]> {
  const before = await emulator.control<{ calls: { sequence: number }[] }>('calls');
  const since = before.calls.at(-1)?.sequence ?? 0;
  await work(since);
  return (await emulator.control<{ calls: Call[] }>(`calls?since=${since}`)).calls;
}

/** Delays new tokens until {@link tokenAfterRefusals} resolves. */
const slowToken = () =>
  emulator.control('fault', { kind: 'slow', endpoint: TOKEN, delayMs: 3_600_000 });
async function tokenAfterRefusals(count: number, since: number): Promise<void> {
  await eventually(`${count} refusals`, async () => {
    const { calls } = await emulator.control<{ calls: Call[] }>(`calls?since=${since}`);
    return calls.filter(({ status }) => status === 401).length === count ? true : undefined;
  });
  await emulator.control('clear-faults', { endpoint: TOKEN });
}

describe('a read of the ERP client', () => {
  test('[ERP-12] requests organizations with all fields, including disabled ones', async () => {
    const calls = await callsDuring(async () => {
      const { data, bytes } = await erp.organizations(connectionId);
      expect(data.organizations).toHaveLength(2);
      expect(data.organizations[0]).toMatchObject({
        id: expect.any(String),
        restaurantAddress: expect.any(String),
      });
      expect(data.organizations[0]).toHaveProperty('countryPhoneCode');
      expect(bytes).toBeGreaterThan(500);
    });
    expect(calls.map(({ request }) => request)).toEqual([
      { organizationIds: null, returnAdditionalInfo: true, includeDisabled: true },
    ]);
  });

  test('returns terminal groups without their wrappers', async () => {
    const { data } = await erp.terminalGroups(connectionId, organizationIds);
    expect(data.terminalGroups.length).toBeGreaterThanOrEqual(2);
    for (const group of data.terminalGroups)
      expect(organizationIds).toContain(group.organizationId);
  });

  test('returns external menus and price categories', async () => {
    const { data } = await erp.externalMenus(connectionId);
    expect(data.externalMenus).toEqual([{ id: '9001', name: expect.any(String) }]);
    expect(data.priceCategories.map(({ id }) => id)).toContain(
      '00000000-0000-0000-0000-000000000000',
    );
  });

  test('returns a menu for several organizations, and an empty answer for an equal revision', async () => {
    const request = { externalMenuId: '9001', organizationIds, asyncMode: false };
    const full = await erp.menu(connectionId, request);
    if (full.data.kind !== 'menu') throw new Error('a menu is expected');
    const { menu } = full.data;
    expect(menu.itemsGroups?.length).toBeGreaterThan(0);
    expect(menu.modifiers?.length).toBeGreaterThan(0);
    const startRevision = menu.revision ?? -1;
    const unchanged = await erp.menu(connectionId, { ...request, startRevision });
    expect(unchanged.data).toMatchObject({
      kind: 'menu',
      menu: { revision: startRevision, itemsGroups: [] },
    });
    expect(unchanged.bytes).toBeLessThan(full.bytes / 10);
  });

  test('sends a single organization also in the field of the plain v3 format', async () => {
    const only = organizationIds.slice(0, 1);
    const calls = await callsDuring(() =>
      erp.menu(connectionId, {
        externalMenuId: '9001',
        organizationIds: only,
        asyncMode: false,
        priceCategoryId: '00000000-0000-0000-0000-000000000000',
      }),
    );
    expect(calls[0]?.request).toMatchObject({ organizationIds: only, organizationId: only[0] });
  });

  test('reports an asynchronous menu as pending until its command ends', async () => {
    await emulator.control('async-menu', { menuId: '9001', mode: 'error', polls: 1 });
    const { data } = await erp.menu(connectionId, {
      externalMenuId: '9001',
      organizationIds,
      asyncMode: true,
    });
    if (data.kind !== 'pending') throw new Error('a pending answer is expected');
    const status = () =>
      erp.commandStatus(connectionId, organizationIds[0] ?? '', data.correlationId);
    expect(await status()).toEqual({ state: 'InProgress' });
    expect(await status()).toEqual({ state: 'Error', reason: 'MenuNotReady' });
    await emulator.control('async-menu', { menuId: '9001', mode: 'off' });
  });

  test('reports an expired command as GONE', async () => {
    await expect(
      erp.commandStatus(
        connectionId,
        organizationIds[0] ?? '',
        '7f000000-0000-4000-8000-000000000000',
      ),
    ).rejects.toMatchObject({ kind: 'GONE', status: 410, retryable: false });
  });

  test('returns stop-lists without their wrappers, with sizes and times', async () => {
    const [organizationId = ''] = organizationIds;
    const { sizes } = await emulator.control<{
      sizes: { productId: string; sizeId: string | null }[];
    }>(`truth?menuId=9001&organizationId=${organizationId}`);
    const sized = sizes.find(({ sizeId }) => sizeId !== null);
    await emulator.control('stop', {
      organizationId,
      itemIds: [sized?.productId],
      sizeId: sized?.sizeId,
    });
    const { data } = await erp.stopLists(connectionId, organizationIds);
    expect(data.rows.some(({ balance }) => balance === 3.5)).toBe(true);
    expect(data.rows).toContainEqual(
      expect.objectContaining({
        organizationId,
        balance: 0,
        productId: sized?.productId,
        sizeId: sized?.sizeId,
      }),
    );
    expect(data.rows.find(({ addedAt }) => addedAt !== null)?.addedAt?.toISOString()).toBe(
      '2026-03-14T08:15:00.000Z',
    );
  });
});

describe('tokens of the ERP', () => {
  test('serve many calls', async () => {
    const calls = await callsDuring(() =>
      Promise.all(organizationIds.map((id) => erp.stopLists(connectionId, [id]))),
    );
    expect(calls.filter(({ endpoint }) => endpoint === TOKEN)).toHaveLength(0);
  });

  test('renew once after a 401, and the request is repeated once', async () => {
    await emulator.control('revoke-tokens');
    const calls = await callsDuring(() => erp.externalMenus(connectionId));
    expect(calls.map(({ endpoint, status }) => [endpoint, status])).toEqual([
      ['/api/2/menu', 401],
      [TOKEN, 200],
      ['/api/2/menu', 200],
    ]);
  });

  test('share one renewal if concurrent calls find the token revoked', async () => {
    await emulator.control('revoke-tokens');
    await slowToken();
    const calls = await callsDuring((since) =>
      Promise.all([
        ...[1, 2, 3, 4, 5].map(() => erp.externalMenus(connectionId)),
        tokenAfterRefusals(5, since),
      ]),
    );
    expect(calls.filter(({ endpoint }) => endpoint === TOKEN)).toHaveLength(1);
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(6);
  });

  test('[WIRE-2] pitfall 2: report a second 401 as a missing right, without a new token', async () => {
    const refused = {
      kind: 'CREDENTIALS_REFUSED',
      status: 401,
      retryable: false,
      endpoint: '/api/2/menu',
    };
    await emulator.control('fault', { kind: '401-once', endpoint: '/api/2/menu', times: 4 });
    const first = await callsDuring(() =>
      expect(erp.externalMenus(connectionId)).rejects.toMatchObject(refused),
    );
    const later = await callsDuring(async () => {
      await expect(erp.externalMenus(connectionId)).rejects.toMatchObject(refused);
      await expect(erp.externalMenus(connectionId)).rejects.toMatchObject(refused);
      await erp.organizations(connectionId);
    });
    const told = await notification();
    const recovered = await callsDuring(() => erp.externalMenus(connectionId));

    expect(first.map(({ endpoint }) => endpoint)).toEqual(['/api/2/menu', TOKEN, '/api/2/menu']);
    expect(later.map(({ endpoint }) => endpoint)).toEqual([
      '/api/2/menu',
      '/api/2/menu',
      '/api/1/organizations',
    ]);
    expect(told).toEqual([{ open: true, details: { endpoint: '/api/2/menu', status: 401 } }]);
    expect(recovered).toHaveLength(1);
    expect(await notification()).toEqual([
      { open: false, details: { endpoint: '/api/2/menu', status: 401 } },
    ]);
  });

  test('[ERP-4] report a 403 once, request every time, and end the report with the first answer', async () => {
    const refused = { kind: 'FORBIDDEN', status: 403, retryable: false, endpoint: '/api/2/menu' };
    const ask = () => expect(erp.externalMenus(connectionId)).rejects.toMatchObject(refused);
    await emulator.control('fault', { kind: '403', endpoint: '/api/2/menu', times: 2 });
    await ask();
    const told = await notification();
    await ask();
    const repeated = await selectRows(database.db, 'notification', ['repeated'], {
      subjectId: String(connectionId),
      resolvedAt: null,
    });
    // The ERP rejected the right, not the token, so an expired token is renewed.
    await emulator.control('revoke-tokens');
    const recovered = await callsDuring(() => erp.externalMenus(connectionId));

    expect(told).toEqual([{ open: true, details: { endpoint: '/api/2/menu', status: 403 } }]);
    expect(repeated).toEqual([{ repeated: 0 }]);
    expect(recovered.map(({ endpoint }) => endpoint)).toEqual([
      '/api/2/menu',
      TOKEN,
      '/api/2/menu',
    ]);
    expect(await notification()).toMatchObject([{ open: false }]);
  });

  test('[ERP-2] survive a storm of 401: concurrent calls are sent twice, with one renewal in between', async () => {
    await emulator.control('fault', {
      kind: '401-once',
      endpoint: '/api/1/terminal_groups',
      times: 100,
    });
    await slowToken();
    const calls = await callsDuring(async (since) => {
      const storm = Array.from({ length: 8 }, () =>
        erp.terminalGroups(connectionId, organizationIds),
      );
      await tokenAfterRefusals(8, since);
      for (const result of await Promise.allSettled(storm))
        expect(result).toMatchObject({
          status: 'rejected',
          reason: { kind: 'CREDENTIALS_REFUSED' },
        });
    });
    expect(calls.filter(({ endpoint }) => endpoint === TOKEN)).toHaveLength(1);
    expect(calls).toHaveLength(17);
    await emulator.control('clear-faults');
    await erp.terminalGroups(connectionId, organizationIds);
  });

  test('remain until 10 minutes before they expire', async () => {
    expect(await callsDuring(() => erp.refreshToken(connectionId))).toHaveLength(0);
    await updateRows(database.db, 'erp_token', { expiresAt: fromNow('9 minutes') });
    const calls = await callsDuring(() => erp.refreshToken(connectionId));
    expect(calls.map(({ endpoint }) => endpoint)).toEqual([TOKEN]);
  });

  test('[ERP-4] report an unknown credential once, without a retry', async () => {
    const { id } = await aConnection(database.db, 'no-such-login');
    const calls = await callsDuring(() =>
      expect(erp.organizations(id)).rejects.toMatchObject({
        kind: 'CREDENTIALS_REFUSED',
        endpoint: TOKEN,
        status: 401,
      }),
    );
    const later = await callsDuring(async () => {
      await expect(erp.organizations(id)).rejects.toMatchObject({ kind: 'CREDENTIALS_REFUSED' });
      await expect(erp.refreshToken(id)).rejects.toMatchObject({ kind: 'CREDENTIALS_REFUSED' });
    });
    expect(calls).toHaveLength(1);
    expect(later).toHaveLength(0);
  });
});

describe('the limiter of the client', () => {
  test('[ERP-8] keeps two processes together below the rate, with tokens, polling and retries', async () => {
    await emulator.control('async-menu', { menuId: '9001', mode: 'hang', polls: 1 });
    const other = await openDatabase({
      url: database.url,
      poolSize: 5,
      applicationName: 'second-process',
    });
    const passed: number[] = [];
    const processOn = (db: Database) => {
      const ports = createErpPorts({ db, secrets: testSecrets, perSecond: 8 });
      return createErpClient({
        baseUrl: emulator.url,
        ...ports,
        limiter: {
          acquire: (options) =>
            ports.limiter.acquire(options).then(() => void passed.push(Date.now())),
        },
        log: createLog({ service: 'test', level: 'silent' }),
      });
    };
    const [here, there] = [processOn(database.db), processOn(other)];
    await deleteRows(database.db, 'erp_rate_limit');
    await emulator.control('revoke-tokens');
    await emulator.control('fault', { kind: '401-once', endpoint: '/api/1/terminal_groups' });

    // The start is taken before the first request, so that no delay makes a second seem fuller.
    const startedAt = Date.now();
    const calls = await callsDuring(() =>
      Promise.allSettled(
        [here, there].flatMap((process) => [
          process.organizations(connectionId),
          process.terminalGroups(connectionId, organizationIds),
          process.externalMenus(connectionId),
          process.stopLists(connectionId, organizationIds),
          process.menu(connectionId, { externalMenuId: '9001', organizationIds, asyncMode: true }),
          process.commandStatus(
            connectionId,
            organizationIds[0] ?? '',
            '7f000000-0000-4000-8000-000000000000',
          ),
        ]),
      ),
    );

    expect(calls.length).toBeGreaterThan(16);
    expect(new Set(calls.map(({ endpoint }) => endpoint)).size).toBe(7);
    expect(passed).toHaveLength(calls.length);
    for (const second of [1, 2])
      expect(passed.filter((at) => at - startedAt < second * 1000 - 50).length).toBeLessThanOrEqual(
        8 * second,
      );
    await Promise.all([here.close(), there.close()]);
    await other.close();
    await emulator.control('async-menu', { menuId: '9001', mode: 'off' });
  });
});

describe('failures of the client', () => {
  test.each([
    [
      '429',
      { retryAfter: 7 },
      {
        kind: 'RATE_LIMITED',
        status: 429,
        retryable: true,
        retryAfterMs: 7000,
        code: 'TOO_MANY_REQUESTS',
      },
    ],
    ['429', {}, { kind: 'RATE_LIMITED', retryAfterMs: undefined }],
    [
      '500',
      {},
      { kind: 'SERVER', status: 500, retryable: true, correlationId: expect.any(String) },
    ],
    ['502-html', {}, { kind: 'SERVER', status: 502, retryable: true }],
    ['truncated-json', {}, { kind: 'NOT_JSON', status: 200, retryable: false }],
  ])('%s %j', async (kind, options, expected) => {
    await emulator.control('fault', { kind, endpoint: '/api/1/organizations', ...options });
    const calls = await callsDuring(() =>
      expect(erp.organizations(connectionId)).rejects.toMatchObject(expected),
    );
    expect(calls).toHaveLength(1);
  });

  test('contain the message of the ERP about a rejected request', async () => {
    await expect(
      erp.menu(connectionId, { externalMenuId: 'none', organizationIds, asyncMode: false }),
    ).rejects.toThrow(
      'ERP /api/menu/v3/by_id CLIENT 400: External menu is not found or not available for this key.',
    );
  });

  test('contain the reason if the caller aborts a call', async () => {
    await emulator.control('fault', { kind: 'slow', endpoint: '/api/2/menu', delayMs: 2000 });
    const reason = new Error('enough');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await expect(erp.externalMenus(connectionId, { signal: controller.signal })).rejects.toBe(
      reason,
    );
    await expect(
      erp.externalMenus(connectionId, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});

test('[ERP-14] requests are counted and logged without secrets, and answers are in the exchange log only', () => {
  const endpoints = new Set(events.map(({ endpoint }) => endpoint));
  expect(endpoints).toEqual(
    new Set([
      TOKEN,
      ...['organizations', 'terminal_groups', 'stop_lists', 'commands/status'].map(
        (entry) => `/api/1/${entry}`,
      ),
      '/api/2/menu',
      '/api/menu/v3/by_id',
    ]),
  );
  expect(events.find(({ status }) => status === 502)?.bytes).toBeGreaterThan(0);

  const text = logged.join('') + JSON.stringify(events) + JSON.stringify(exchanges);
  expect(text).not.toContain(emulator.apiLogin);
  expect(text).not.toMatch(/eyJ[\w-]+\./);
  expect(logged.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      endpoint: '/api/menu/v3/by_id',
      status: 200,
      connectionId,
      bytes: expect.any(Number),
    }),
  );
  expect(logged.join('')).not.toContain('itemsGroups');
  expect(exchanges.some(({ answer }) => answer.includes('itemsGroups'))).toBe(true);
  expect(exchanges.find(({ endpoint }) => endpoint === TOKEN)).toMatchObject({
    request: '{"apiLogin":"[masked]"}',
    answer: expect.stringContaining('"token":"[masked]"'),
  });
});

test.each(['api', 'worker'])(
  '[ERP-23] %s: every exchange is written to a file only if the setting names one',
  async (service) => {
    const folder = await temporaryFolder('exchanges');
    const file = `${folder}/${service}.log`;
    const env = readEnv({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      ERP_URL: emulator.url,
      ENCRYPTION_KEYS: 'test@row:' + Buffer.alloc(32, 7).toString('base64'),
      ERP_EXCHANGE_LOG: file,
    });
    const log = createLog({ service, level: 'info', destination: { write: () => undefined } });
    const client = openErpClient({ env, log, metrics: createMetrics('api'), db: database.db });
    await client.organizations(connectionId);
    await client.stopLists(connectionId, organizationIds);
    await client.close();
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    await rm(folder, { recursive: true });

    const endpoints = lines.map((line) => (JSON.parse(line) as { endpoint: string }).endpoint);
    expect(endpoints).toEqual(
      expect.arrayContaining(['/api/1/organizations', '/api/1/stop_lists']),
    );
  },
);
