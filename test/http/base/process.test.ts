import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSnapshot } from '../../../modules/menus/snapshot/build-snapshot.ts';
import { PREFIXES } from '../../../api/http/route.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { migratedDatabase } from '../../support/database.ts';
import { silentProxyTo } from '../../support/chaos/silent-proxy.ts';
import { clockAhead } from '../../support/shifted-clock.ts';
import { startLoneApi, type LoneApi } from '../../support/lone-api.ts';
import { menuRows } from '../../support/menu-rows.ts';
import { testDatabase } from '../../support/postgres.ts';
import { eventually, untilReady, type Started } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let folder: string;
/** A ready API that several tests read; it listens on all hosts. */
let shared: LoneApi;
const running: Started[] = [];
beforeAll(async () => {
  database = await migratedDatabase();
  folder = await temporaryFolder('api');
  shared = await startLoneApi(
    { databaseUrl: database.url, folder },
    { BUILD_COMMIT: 'c0ffee', HOST: '0.0.0.0' },
  );
  await untilReady(shared.api, shared.opsPort);
});
afterEach(async () => {
  for (const entry of running.splice(0)) await entry.kill();
});
afterAll(async () => {
  await shared?.api.kill();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function startApi(env: Record<string, string> = {}): Promise<LoneApi> {
  const started = await startLoneApi({ databaseUrl: database.url, folder }, env);
  running.push(started.api);
  return started;
}

describe('the API process', () => {
  test('[OPS-39] reports its commit', async () => {
    const { opsPort } = shared;
    const live = await fetch(`http://127.0.0.1:${opsPort}/health/live`);
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();

    expect(await live.json()).toEqual({
      status: 'ok',
      version: expect.any(String),
      commit: 'c0ffee',
      node: process.versions.node,
    });
    expect(metrics).toMatch(
      /^carte_build_info\{version="[^"]+",commit="c0ffee",node="[\d.]+",service="api"\} 1$/m,
    );
    expect(metrics).toMatch(/^carte_database_connections\{state="waiting",service="api"\} 0$/m);
  });

  test('[OPS-39] reports one version in package.json, OpenAPI, /health/live and carte_build_info', async () => {
    const { port, opsPort } = shared;
    type Versioned = { version: string };
    const json = async (url: string) =>
      (await (await fetch(url)).json()) as Versioned & { info: Versioned };
    const documents = Object.values(PREFIXES).map(
      (prefix) => `http://127.0.0.1:${port}${prefix}/openapi.json`,
    );
    const described = await Promise.all(documents.map(json));
    const { version } = await json(`http://127.0.0.1:${opsPort}/health/live`);
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();

    const stated = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    ) as Versioned;
    expect(version).toBe(stated.version);
    expect(described.map(({ info }) => info.version)).toEqual(documents.map(() => stated.version));
    expect(/^carte_build_info\{version="([^"]+)"/m.exec(metrics)?.[1]).toBe(stated.version);
  });

  test('[OPS-40] shows metrics and readiness only on its own host, wherever the API listens', async () => {
    const { port, opsPort } = shared;
    // Another address of this host, unreachable if the server listens on one address only.
    const answer = (at: number, path: string) => fetch(`http://127.0.0.2:${at}${path}`);

    expect((await answer(port, '/api/admin/v1/me')).status).toBe(401);
    await expect(answer(opsPort, '/metrics')).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });

  test('serves both APIs and the operations pages, and ends cleanly', async () => {
    const { api, port, opsPort } = shared;
    const answer = (at: number, path: string) => fetch(`http://127.0.0.1:${at}${path}`);

    expect((await answer(port, '/api/v1/openapi.json')).status).toBe(200);
    expect((await answer(port, '/api/admin/v1/me')).status).toBe(401);
    expect((await answer(opsPort, '/health/live')).status).toBe(200);
    expect(await (await answer(opsPort, '/metrics')).text()).toContain('carte_http_requests_total');
    expect(await api.stop()).toBe(0);
  });

  test('[OPS-21] reports not ready and continues to answer for a while before it stops', async () => {
    const { api, port, opsPort } = await startApi({ SHUTDOWN_DRAIN: '10s', SHUTDOWN_GRACE: '60s' });
    await untilReady(api, opsPort);
    const get = (at: number, path: string) => fetch(`http://127.0.0.1:${at}${path}`);
    const ended = api.stop();
    await eventually('it is not ready', async () =>
      (await get(opsPort, '/health/ready')).status === 503 ? true : undefined,
    );
    const answers = [await get(port, '/api/v1/openapi.json'), await get(port, '/api/admin/v1/me')];

    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(await ended).toBe(0);
    await expect(get(port, '/api/v1/openapi.json')).rejects.toThrow('fetch failed');
  });

  test('[OPS-21] stays ready but degraded, and serves loaded menus, while the database is unavailable', async () => {
    const { organizationErpId, organizationId } = await menuRows(database.db).restaurant();
    await buildSnapshot(
      {
        db: database.db,
        log: createLog({ service: 'test', level: 'silent' }),
        metrics: createMetrics('test'),
      },
      organizationId,
    );
    const { proxy, throughProxy } = await silentProxyTo(database.url);
    try {
      const { api, port, opsPort } = await startApi({ DATABASE_URL: throughProxy });
      await untilReady(api, opsPort);
      const ready = async () => {
        const answer = await fetch(`http://127.0.0.1:${opsPort}/health/ready`);
        return { code: answer.status, ...((await answer.json()) as object) };
      };
      const menu = async () =>
        (await fetch(`http://127.0.0.1:${port}/api/v1/menu?organization_id=${organizationErpId}`))
          .status;
      const loaded = await eventually('the menu is loaded', async () =>
        (await menu()) === 200 ? 200 : undefined,
      );
      const before = await ready();
      const silence = proxy.cut(4_000);
      const during = await ready();

      expect(before).toMatchObject({ status: 'ready', checks: { running: true, database: true } });
      expect(during).toMatchObject({
        code: 200,
        status: 'degraded',
        checks: { running: true, database: false },
      });
      expect([loaded, await menu()]).toEqual([200, 200]);
      await silence;
    } finally {
      await proxy.close();
    }
  });

  test('[OPS-74] reports not ready with the reason while its clock is 40 s ahead of the database', async () => {
    const { opsPort } = await startApi({ NODE_OPTIONS: clockAhead(40_000) });
    const page = (path: string) => fetch(`http://127.0.0.1:${opsPort}${path}`);
    const ready = await eventually('it answers', () => page('/health/ready'));
    const skew = /^carte_clock_skew_seconds\{service="api"\} ([\d.]+)$/m.exec(
      await (await page('/metrics')).text(),
    );

    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: 'not ready',
      checks: { running: true, clock: false },
      reasons: [
        expect.stringMatching(
          /^The clock of this process is (39|40)[\d.]* s ahead of the clock of the database/,
        ),
      ],
    });
    expect(Number(skew?.[1])).toBeGreaterThan(30);
    expect(Number(skew?.[1])).toBeLessThanOrEqual(40.1);
  });

  test('[OPS-8] completes running requests before it ends, and accepts no new ones', async () => {
    const { api, port, opsPort } = await startApi();
    await untilReady(api, opsPort);
    // The server answers 100 when it has begun to read the request.
    const begun = request(`http://127.0.0.1:${port}/api/admin/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', expect: '100-continue' },
    });
    begun.flushHeaders();
    await once(begun, 'continue');
    const answered = once(begun, 'response') as Promise<[IncomingMessage]>;
    const ended = api.stop();
    await eventually('the process is stopping', async () =>
      api.output().includes('"stopping"') ? true : undefined,
    );
    begun.end('{"email":"a@b.c","password":"x"}');
    const [answer] = await answered;
    answer.resume();

    expect(answer.statusCode).toBe(401);
    expect(await ended).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/api/v1/openapi.json`)).rejects.toThrow(
      'fetch failed',
    );
  });
});

describe('the start of the API process', () => {
  const refusal = async (env: Record<string, string>) => {
    const { api } = await startApi(env);
    const code = await api.exited;
    const lines = api
      .output()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'));
    return { code, text: lines.join('\n') };
  };

  test('fails with a port in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, text } = await refusal({ PORT: String(port) });
    taken.close();

    expect(code).toBe(1);
    expect(text).toBe(`The API cannot listen on 127.0.0.1:${port}: the port is in use.`);
  });

  test('fails with a database that does not answer, without showing its password', async () => {
    const { code, text } = await refusal({
      DATABASE_URL: 'postgres://carte:canary@127.0.0.1:9/shop',
    });

    expect(code).toBe(1);
    expect(text).toBe('The database "shop" at 127.0.0.1:9 does not answer; check DATABASE_URL.');
  });

  test('fails with a database that does not exist', async () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    const { code, text } = await refusal({ DATABASE_URL: url.href });

    expect(code).toBe(1);
    expect(text).toContain('"nowhere"');
    expect(text).toContain('does not exist');
  });

  test('fails with missing migrations', async () => {
    const empty = await testDatabase();
    const { code, text } = await refusal({ DATABASE_URL: empty.url });
    await empty.drop();

    expect(code).toBe(1);
    expect(text).toBe('The database lacks migrations: run `npm run migrate` first.');
  });

  test('fails with an invalid environment, and names every problem', async () => {
    const { code, text } = await refusal({
      PORT: 'many',
      RATE_LIMIT_MENU: '-1',
      ENCRYPTION_KEYS: 'canary',
    });

    expect(code).toBe(1);
    expect(text.split('\n')).toHaveLength(4);
    expect(text).toContain('PORT is "many"');
    expect(text).not.toContain('canary');
  });
});
