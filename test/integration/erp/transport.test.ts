import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Endpoint, EndpointGroup, ErpClientOptions } from '../../../erp/call.ts';
import { createErpClient } from '../../../erp/client.ts';
import { createCheck } from '../../../erp/schemas/check.ts';
import { createLog } from '../../../platform/log.ts';
import { openPorts } from '../../support/erp-ports.ts';

const TOKEN = 'token-canary-41';
const log = createLog({ service: 'test', level: 'silent' });
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function client(baseUrl: string, options: Partial<ErpClientOptions> = {}) {
  const erp = createErpClient({
    baseUrl,
    ...openPorts(TOKEN),
    log,
    ...options,
  });
  closing.push(() => erp.close());
  return erp;
}

const serving = async (listener: RequestListener, options: Partial<ErpClientOptions> = {}) =>
  client(await listen(createServer(listener)), options);

const menuRequest = { externalMenuId: '1', organizationIds: [], asyncMode: false };

describe('the HTTP transport', () => {
  test('sends JSON with the bearer token below the path of the base address, over a kept connection', async () => {
    const seen: {
      url: string | undefined;
      headers: Record<string, unknown>;
      port: number | undefined;
    }[] = [];
    const server = createServer((request, response) => {
      seen.push({ url: request.url, headers: request.headers, port: request.socket.remotePort });
      request.resume();
      response.end('{"organizations":[]}');
    });
    const erp = client(`${await listen(server)}/cloud`);
    await erp.organizations(1);
    await setImmediate();
    expect(await erp.organizations(1)).toEqual({ data: { organizations: [] }, bytes: 20, odd: [] });
    expect(seen[0]).toMatchObject({
      url: '/cloud/api/1/organizations',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
    expect(seen[1]?.port).toBe(seen[0]?.port);
  });

  test('returns CONNECT if no server listens', async () => {
    const server = createServer();
    const url = await listen(server);
    await closing.pop()?.();
    const call = client(url).organizations(1);
    await expect(call).rejects.toMatchObject({ kind: 'CONNECT', retryable: true });
    await expect(call).rejects.toThrow('ERP /api/1/organizations CONNECT: ECONNREFUSED');
  });

  test('[ERP-5] returns TIMEOUT for a silent server after the read limit, or the longer limit of menus', async () => {
    const erp = await serving(() => undefined, { timeouts: { readMs: 200, menuReadMs: 60_000 } });
    const stop = new AbortController();
    let isPatient = true;
    const patient = erp
      .menu(1, menuRequest, { signal: stop.signal })
      .finally(() => (isPatient = false));
    patient.catch(() => undefined);
    await expect(erp.organizations(1)).rejects.toMatchObject({
      kind: 'TIMEOUT',
      retryable: true,
      status: undefined,
    });
    expect(isPatient).toBe(true);
    stop.abort();
    await expect(patient).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('returns TIMEOUT with the status for a body that stops in the middle', async () => {
    const erp = await serving((_request, response) => response.writeHead(200).write('{"organ'), {
      timeouts: { readMs: 200 },
    });
    await expect(erp.organizations(1)).rejects.toMatchObject({
      kind: 'TIMEOUT',
      status: 200,
      retryable: true,
    });
  });

  test('aborts a body that never ends', async () => {
    const erp = await serving(
      (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 50);
        response.once('close', () => clearInterval(drip));
      },
      { timeouts: { connectMs: 100, readMs: 300 } },
    );
    await expect(erp.organizations(1)).rejects.toMatchObject({ kind: 'TIMEOUT', retryable: true });
  });

  test('returns CONNECT for a connection cut before or during the answer', async () => {
    const before = await serving((request) => request.socket.destroy());
    await expect(before.organizations(1)).rejects.toMatchObject({
      kind: 'CONNECT',
      retryable: true,
    });
    const inside = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"organ');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(inside.organizations(1)).rejects.toMatchObject({
      kind: 'CONNECT',
      status: 200,
      retryable: true,
    });
  });

  test('returns CONNECT for an answer that is not HTTP', async () => {
    const server = createTcpServer((socket) => socket.resume().end('hello\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const erp = client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expect(erp.organizations(1)).rejects.toMatchObject({ kind: 'CONNECT', retryable: true });
  });

  test('follows no redirects with our token', async () => {
    let calls = 0;
    const erp = await serving((_request, response) => {
      calls += 1;
      response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end();
    });
    await expect(erp.organizations(1)).rejects.toMatchObject({ kind: 'CLIENT', status: 307 });
    expect(calls).toBe(1);
  });

  test('rejects an answer larger than any menu before it fills the memory', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const erp = await serving((_request, response) => {
      response.on('error', () => undefined);
      const pump = (): void => {
        while (!response.destroyed)
          if (!response.write(chunk)) return void response.once('drain', pump);
      };
      pump();
    });
    await expect(erp.organizations(1)).rejects.toMatchObject({
      kind: 'INVALID_ANSWER',
      retryable: false,
    });
  });

  test('masks a repeated token in the message and everything else of an error', async () => {
    const erp = await serving((request, response) => {
      response.writeHead(403).end(
        JSON.stringify({
          errorDescription: `No right for ${request.headers.authorization}`,
          error: TOKEN,
        }),
      );
    });
    const failure: unknown = await erp.organizations(1).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'FORBIDDEN', status: 403 });
    const everything = JSON.stringify(failure, Object.getOwnPropertyNames(failure as object));
    expect(everything).not.toContain(TOKEN);
    expect(failure).not.toHaveProperty('cause');
  });

  test('passes every request through the limiter, whose failure is not a failure of the ERP', async () => {
    let acquired = 0;
    const erp = await serving((_request, response) => response.end('{"organizations":[]}'), {
      limiter: {
        acquire: async () => {
          acquired += 1;
          if (acquired === 2) throw new Error('database gone');
        },
      },
    });
    await erp.organizations(1);
    await expect(erp.organizations(1)).rejects.toThrow('database gone');
  });
});

describe('the counters for operators', () => {
  const statuses: (number | string)[] = [];
  const counting = (options: Partial<ErpClientOptions> = {}): Partial<ErpClientOptions> => ({
    onRequest: ({ status }) => void statuses.push(status),
    ...options,
  });
  const ask = async (erp: ReturnType<typeof client>) => {
    const before = statuses.length;
    await erp.organizations(1).catch((error: unknown) => error);
    return statuses.slice(before);
  };

  test('count every attempt by HTTP status, or by fault without a complete answer', async () => {
    const answers = (status: number, body: string) =>
      serving((_request, response) => void response.writeHead(status).end(body), counting());
    const timeouts = { readMs: 150 };
    const silent = await serving(() => undefined, counting({ timeouts }));
    const halfSaid = await serving(
      (_request, response) => void response.writeHead(200).write('{'),
      counting({ timeouts }),
    );
    const cut = await serving((request) => void request.socket.destroy(), counting());
    const refused = (state: 'OPEN' | 'HELD') =>
      client(
        'http://127.0.0.1:9',
        counting({
          circuits: { ...openPorts(TOKEN).circuits, enter: async () => ({ state, leftMs: 2_000 }) },
        }),
      );

    expect(await ask(await answers(200, '{"organizations":[]}'))).toEqual([200]);
    expect(await ask(await answers(200, '{"organiz'))).toEqual([200]);
    expect(await ask(await answers(503, '<html>'))).toEqual([503]);
    expect(await ask(await answers(401, '{}'))).toEqual([401, 401]);
    expect(await ask(silent)).toEqual(['TIMEOUT']);
    expect(await ask(halfSaid)).toEqual(['TIMEOUT']);
    expect(await ask(cut)).toEqual(['CONNECT']);
    expect(await ask(refused('OPEN'))).toEqual(['CIRCUIT_OPEN']);
    expect(await ask(refused('HELD'))).toEqual(['HELD']);
  });
});

test('[ERP-10, WIRE-23] pitfall 23: count a 502 page as server failure, and a truncated menu as invalid', async () => {
  const page = await serving((_request, response) => {
    response
      .writeHead(502, { 'content-type': 'text/html' })
      .end('<html><body>Bad Gateway</body></html>');
  });
  const broken = await serving(
    (_request, response) => void response.end('{"id":1,"itemsGroups":[{"na'),
  );

  await expect(page.menu(1, menuRequest)).rejects.toMatchObject({
    kind: 'SERVER',
    status: 502,
    retryable: true,
  });
  await expect(broken.menu(1, menuRequest)).rejects.toMatchObject({
    kind: 'NOT_JSON',
    status: 200,
    retryable: false,
  });
});

describe('a new group of endpoints', () => {
  type StreetCalls = { streets(connectionId: number, cityId: string): Promise<string[]> };
  const STREETS: Endpoint<{ streets: { name: string }[] }> = {
    path: '/api/1/streets/by_city',
    check: createCheck(Type.Object({ streets: Type.Array(Type.Object({ name: Type.String() })) })),
  };
  const streetCalls: EndpointGroup<StreetCalls> = (call) => ({
    streets: async (connectionId, cityId) =>
      (await call(connectionId, STREETS, { cityId }, undefined)).data.streets.map(
        ({ name }) => name,
      ),
  });

  test('[ERP-11] needs one file to receive token, limiter, circuit breaker, counting and failures', async () => {
    const seen: { url: string | undefined; authorization: string | undefined; body: string }[] = [];
    const events: string[] = [];
    let acquired = 0;
    const erp = await serving(
      (request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          seen.push({ url: request.url, authorization: request.headers.authorization, body });
          response.end(
            seen.length === 1 ? '{"streets":[{"name":"Quay Lane","more":1}]}' : '{"streets":[{}]}',
          );
        });
      },
      {
        limiter: { acquire: async () => void (acquired += 1) },
        onRequest: ({ endpoint, status }) => void events.push(`${endpoint} ${status}`),
      },
    );
    const later = streetCalls(erp.call);

    expect(await later.streets(1, 'c-1')).toEqual(['Quay Lane']);
    await expect(later.streets(1, 'c-2')).rejects.toMatchObject({
      kind: 'INVALID_ANSWER',
      endpoint: STREETS.path,
    });

    expect(seen[0]).toEqual({
      url: STREETS.path,
      authorization: `Bearer ${TOKEN}`,
      body: '{"cityId":"c-1"}',
    });
    expect(acquired).toBe(2);
    expect(events).toEqual([`${STREETS.path} 200`, `${STREETS.path} 200`]);
  });
});
