import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { nginxForTests, startGateway, type Gateway } from '../../support/gateway.ts';

// nginx itself with `ops/gateway.conf` before two servers that stand for the two instances of the API.

type Seen = { server: number; url: string; headers: IncomingMessage['headers'] };

// nginx is no package of Node: where it cannot be had these count as skipped; with CI=true they fail.
const nginx = await nginxForTests();
const whereNginxIs = nginx === undefined ? describe.skip : describe;

let seen: Seen[];
let servers: Server[];
let gateway: Gateway;

async function instance(server: number): Promise<Server> {
  const instance = createServer((request, response) => {
    const { url = '', headers } = request;
    seen.push({ server, url, headers });
    request.resume().on('end', () => response.writeHead(url.startsWith('/broken') ? 503 : 200).end(String(server)));
  });
  await once(instance.listen(0, '127.0.0.1'), 'listening');
  return instance;
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;
whereNginxIs('nginx with ops/gateway.conf', () => {
  beforeAll(async () => {
    seen = [];
    servers = [await instance(0), await instance(1)];
    const [one, other] = servers.map((server) => `http://127.0.0.1:${portOf(server)}`) as [string, string];
    gateway = await startGateway(nginx!, [one, other]);
  });
  afterAll(async () => {
    await gateway?.stop();
    for (const server of servers) server.close().closeAllConnections();
  });
  beforeEach(() => {
    seen = [];
  });

  const statuses = async (path: string, times: number, options: RequestInit = {}) => {
    const { url } = gateway;
    const answers = await Promise.all(Array.from({ length: times }, () => fetch(url + path, options)));
    return [...new Set(answers.map(({ status }) => status))];
  };

  test('what one restaurant does not have takes no instance away from the others (rule OPS-46)', async () => {
    const broken = await statuses('/broken', 30);
    const asked = seen.length;
    const others = await statuses('/menu', 30);

    expect([broken, others]).toEqual([[503], [200]]);
    // Each was asked of one instance only, and both go on being asked.
    expect(asked).toBe(30);
    expect(new Set(seen.slice(asked).map(({ server }) => server))).toEqual(new Set([0, 1]));
  });

  test('an instance that is gone is passed over, also by what must not be sent twice, and used again when it is back', async () => {
    const [first] = servers;
    const port = portOf(first!);
    await statuses('/menu', 20);
    first!.close().closeAllConnections();
    const read = await statuses('/menu', 40);
    const written = await statuses('/orders', 40, { method: 'POST', body: '{}' });
    await once(first!.listen(port, '127.0.0.1'), 'listening');
    seen = [];
    await statuses('/menu', 40);

    expect([read, written]).toEqual([[200], [200]]);
    expect(new Set(seen.map(({ server }) => server))).toEqual(new Set([0, 1]));
  });

  test('the instances learn who was asked, by whom and over what; nobody chooses their request id but the gateway', async () => {
    const { url } = gateway;
    await fetch(`${url}/menu?organization_id=1`, {
      headers: { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'mine' },
    });
    const [{ headers }] = seen as [Seen];

    expect(headers).toMatchObject({
      host: new URL(url).host,
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test('a query is in no line of the log, and a picture of 10 MB passes while more does not', async () => {
    const { url } = gateway;
    await fetch(`${url}/api/webhooks/erp?token=canary-of-the-gateway`, { method: 'POST', body: '[]' });
    const [passes] = await statuses('/media', 1, { method: 'POST', body: Buffer.alloc(10 * 2 ** 20) });
    const refused = await fetch(`${url}/media`, { method: 'POST', body: Buffer.alloc(12 * 2 ** 20) }).then(
      ({ status }) => status,
      () => 'closed',
    );

    expect(passes).toBe(200);
    expect([413, 'closed']).toContain(refused);
    const lines = await gateway.log();
    expect(lines).toContain('/api/webhooks/erp');
    expect(lines).not.toContain('canary-of-the-gateway');
  });
});
