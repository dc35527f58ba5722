import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createErpClient, type ErpClientOptions } from '../../../erp/client.ts';
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

describe('transport', () => {
  test('sends JSON with the bearer token below the path of the base address, over a kept connection', async () => {
    const seen: { url: string | undefined; headers: Record<string, unknown>; port: number | undefined }[] = [];
    const server = createServer((request, response) => {
      seen.push({ url: request.url, headers: request.headers, port: request.socket.remotePort });
      request.resume();
      response.end('{"organizations":[]}');
    });
    const erp = client(`${await listen(server)}/cloud`);
    await erp.organizations(1);
    await setImmediate();
    expect(await erp.organizations(1)).toEqual({ data: { organizations: [] }, bytes: 20 });
    expect(seen[0]).toMatchObject({
      url: '/cloud/api/1/organizations',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    });
    expect(seen[1]?.port).toBe(seen[0]?.port);
  });

  test('nobody listens: CONNECT', async () => {
    const server = createServer();
    const url = await listen(server);
    await closing.pop()?.();
    const call = client(url).organizations(1);
    await expect(call).rejects.toMatchObject({ kind: 'CONNECT', retryable: true });
    await expect(call).rejects.toThrow('ERP /api/1/organizations CONNECT: ECONNREFUSED');
  });

  test('a server that accepts and says nothing: TIMEOUT after the read time-out, the menu after its own', async () => {
    const erp = await serving(() => undefined, { timeouts: { readMs: 200, menuReadMs: 60_000 } });
    const startedAt = Date.now();
    await expect(erp.organizations(1)).rejects.toMatchObject({ kind: 'TIMEOUT', retryable: true, status: undefined });
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    const patient = erp.menu(1, menuRequest, { signal: AbortSignal.timeout(1_500) });
    await expect(patient).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('a body that stops in the middle: TIMEOUT with the status', async () => {
    const erp = await serving((_request, response) => response.writeHead(200).write('{"organ'), {
      timeouts: { readMs: 200 },
    });
    await expect(erp.organizations(1)).rejects.toMatchObject({ kind: 'TIMEOUT', status: 200, retryable: true });
  });

  test('a body that drips for ever ends', async () => {
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

  test('a connection cut before or inside the answer: CONNECT', async () => {
    const before = await serving((request) => request.socket.destroy());
    await expect(before.organizations(1)).rejects.toMatchObject({ kind: 'CONNECT', retryable: true });
    const inside = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"organ');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(inside.organizations(1)).rejects.toMatchObject({ kind: 'CONNECT', status: 200, retryable: true });
  });

  test('something that is not HTTP: CONNECT', async () => {
    const server = createTcpServer((socket) => socket.resume().end('hello\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const erp = client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expect(erp.organizations(1)).rejects.toMatchObject({ kind: 'CONNECT', retryable: true });
  });

  test('redirects are not followed with our token', async () => {
    let calls = 0;
    const erp = await serving((_request, response) => {
      calls += 1;
      response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end();
    });
    await expect(erp.organizations(1)).rejects.toMatchObject({ kind: 'CLIENT', status: 307 });
    expect(calls).toBe(1);
  });

  test('an answer beyond every menu is refused before it fills the memory', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const erp = await serving((_request, response) => {
      response.on('error', () => undefined);
      const pump = (): void => {
        while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', pump);
      };
      pump();
    });
    await expect(erp.organizations(1)).rejects.toMatchObject({ kind: 'INVALID_ANSWER', retryable: false });
  });

  test('an error text that repeats the token is masked, in the message and in everything else', async () => {
    const erp = await serving((request, response) => {
      response
        .writeHead(403)
        .end(JSON.stringify({ errorDescription: `No right for ${request.headers.authorization}`, error: TOKEN }));
    });
    const failure: unknown = await erp.organizations(1).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'FORBIDDEN', status: 403 });
    const everything = JSON.stringify(failure, Object.getOwnPropertyNames(failure as object));
    expect(everything).not.toContain(TOKEN);
    expect(failure).not.toHaveProperty('cause');
  });

  test('every request passes the limiter, and a limiter that fails is not a failure of the ERP', async () => {
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
