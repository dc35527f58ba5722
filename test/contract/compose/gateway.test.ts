import {
  createServer,
  get as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clientAddress } from '../../../api/http/client-address.ts';
import { createWindowCounter } from '../../../api/http/limits/hot-rate-limit.ts';
import { parseTrustedProxies } from '../../../platform/trusted-proxies.ts';
import { eventually } from '../../support/processes.ts';
import { startGateway, type Gateway } from '../../support/gateway.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

// nginx with `ops/gateway.conf` in front of two stand-ins for the API.

type Seen = { server: number; url: string; headers: IncomingMessage['headers'] };

// nginx is not an npm package. Without it the tests are skipped; with CI=true they fail.
const nginx = await programForTests('nginx');

let seen: Seen[];
/** Answers of the stand-ins at /api/v1/menu, with rate limits like the API. */
let menus: Record<
  string,
  { status?: number; body: string; cacheControl?: string; isLimited?: boolean }
> = {};
let sent = 0;
let servers: Server[];
let gateway: Gateway;

async function instance(server: number): Promise<Server> {
  const counter = createWindowCounter('menu', 60);
  const isProxy = parseTrustedProxies('private');
  const instance = createServer((request, response) => {
    const { url = '', headers } = request;
    seen.push({ server, url, headers });
    request.resume().on('end', () => {
      if (url.startsWith('/media/')) return answerMedia(request, response, server);
      if (url.startsWith('/stream')) return answerStream(response);
      const menu =
        menus[new URL(url, 'http://localhost').searchParams.get('organization_id') ?? ''];
      if (menu === undefined)
        response.writeHead(url.startsWith('/broken') ? 503 : 200).end(String(server));
      else {
        const isCounted =
          menu.isLimited === true && !/^carte_\w{12}_\w{38}$/.test(String(headers['carte-key']));
        const budget = isCounted
          ? counter.take(clientAddress(request, isProxy), performance.now())
          : null;
        const refusal = {
          'retry-after': String(budget?.resetSeconds),
          'cache-control': 'no-store',
        };
        if (budget?.allowed === false) response.writeHead(429, refusal).end();
        else setTimeout(() => answerMenu(request, response, menu), 20);
      }
    });
  });
  await once(instance.listen(0, '127.0.0.1'), 'listening');
  return instance;
}
/** Answers like the API: with an ETag, immediately stale, and with headers of a single request. */
function answerMenu(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { status = 200, body, cacheControl = 'public, max-age=60' }: (typeof menus)[string],
): void {
  const encoding = /gzip/.test(headers['accept-encoding'] ?? '')
    ? { 'content-encoding': 'gzip' }
    : {};
  const isKnown = status === 200 && headers['if-none-match'] === `"${body}"`;
  const bytes = 'content-encoding' in encoding ? gzipSync(body) : Buffer.from(body);
  if (!isKnown) sent += 1;
  response
    .writeHead(isKnown ? 304 : status, {
      ...(isKnown ? {} : { ...encoding, 'content-length': bytes.length }),
      ...(status === 200 ? { 'x-accel-expires': '@1' } : {}),
      etag: `"${body}"`,
      vary: 'Accept-Encoding',
      'cache-control': status === 200 ? cacheControl : 'no-store',
      ratelimit: '"menu";r=9;t=60',
      'x-request-id': headers['x-request-id'],
    })
    .end(isKnown ? undefined : bytes);
}
function answerMedia(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  server: number,
): void {
  const exists = !url.includes('missing');
  response
    .writeHead(exists ? 200 : 404, {
      ...(exists ? { etag: `"${url}"`, 'content-type': 'image/webp' } : {}),
      'cache-control': exists ? 'public, max-age=31536000, immutable' : 'no-store',
      ratelimit: '"media";r=9;t=60',
      'x-request-id': headers['x-request-id'],
    })
    .end(`${url} of ${server}`);
}
const streams = new Set<ServerResponse>();
/** Answers like the API: sends the first bytes at once and keeps the stream open. */
function answerStream(response: ServerResponse): void {
  response
    .writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    .write('retry: 2000\n\n');
  streams.add(response);
  response.once('close', () => streams.delete(response));
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;
describeWith(nginx, 'nginx with ops/gateway.conf', () => {
  beforeAll(async () => {
    seen = [];
    servers = [await instance(0), await instance(1)];
    const [one, other] = servers.map((server) => `http://127.0.0.1:${portOf(server)}`) as [
      string,
      string,
    ];
    gateway = await startGateway(nginx!, [one, other]);
  });
  afterAll(async () => {
    await gateway?.stop();
    for (const server of servers) server.close().closeAllConnections();
  });
  beforeEach(() => {
    seen = [];
    menus = {};
    sent = 0;
  });

  const statuses = async (path: string, times: number, options: RequestInit = {}) => {
    const { url } = gateway;
    const answers = await Promise.all(
      Array.from({ length: times }, (_, at) =>
        fetch(url + path, { ...options, headers: { 'x-forwarded-for': `198.51.100.${at + 1}` } }),
      ),
    );
    return [...new Set(answers.map(({ status }) => status))];
  };

  test('[OPS-136] 1,500 event streams are open at once, and each event passes without waiting for more bytes', async () => {
    const { port } = new URL(gateway.url);
    const texts: string[] = [];
    const sockets = Array.from({ length: 1_500 }, (_, at) => {
      texts[at] = '';
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write('GET /stream HTTP/1.1\r\nHost: shop\r\n\r\n'),
      );
      return socket.on('data', (bytes) => (texts[at] += bytes.toString()));
    });
    const have = (text: string) => texts.filter((entry) => entry.includes(text)).length;
    await eventually('every stream is open', async () =>
      have('retry: 2000') === 1_500 ? true : undefined,
    );
    for (const stream of streams) stream.write('event: menu\n\n');
    await eventually('every stream has the event', async () =>
      have('event: menu') === 1_500 ? true : undefined,
    );
    for (const socket of sockets) socket.destroy();
    await eventually('the streams are closed', async () => (streams.size === 0 ? true : undefined));

    expect(texts.every((text) => text.startsWith('HTTP/1.1 200'))).toBe(true);
  });

  test('[OPS-46] missing data of one restaurant does not disable an instance for the others', async () => {
    const broken = await statuses('/broken', 30);
    const asked = seen.length;
    const others = await statuses('/menu', 30);

    expect([broken, others]).toEqual([[503], [200]]);
    // Each request was sent to one instance only, and both instances still get requests.
    expect(asked).toBe(30);
    expect(new Set(seen.slice(asked).map(({ server }) => server))).toEqual(new Set([0, 1]));
  });

  test('[OPS-46] the gateway skips a dead instance, also for requests sent once, and uses it again later', async () => {
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

  test('instances receive host, client and scheme, and only the gateway sets the request id', async () => {
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

  test('[OPS-46] the log contains no query, and a picture of 10 MB passes while a larger one does not', async () => {
    const { url } = gateway;
    await fetch(`${url}/api/webhooks/erp?token=canary-of-the-gateway`, {
      method: 'POST',
      body: '[]',
    });
    const [passes] = await statuses('/media', 1, {
      method: 'POST',
      body: Buffer.alloc(10 * 2 ** 20),
    });
    const refused = await fetch(`${url}/media`, {
      method: 'POST',
      body: Buffer.alloc(12 * 2 ** 20),
    }).then(
      ({ status }) => status,
      () => 'closed',
    );

    expect(passes).toBe(200);
    expect([413, 'closed']).toContain(refused);
    const lines = await gateway.log();
    expect(lines).toContain('/api/webhooks/erp');
    expect(lines).not.toContain('canary-of-the-gateway');
  });

  test('[HTTP-40] 300 concurrent menus with a storefront key reach the instances, and others are limited', async () => {
    menus = { keyed: { body: 'menu', isLimited: true } };
    const key = `carte_${'a'.repeat(12)}_${'b'.repeat(38)}`;
    const statusesWith = async (from: string, sent: Record<string, string>) => {
      const answers = await Promise.all(
        Array.from({ length: 300 }, () =>
          fetch(`${gateway.url}/api/v1/menu?organization_id=keyed`, {
            headers: { 'x-forwarded-for': from, ...sent },
          }),
        ),
      );
      return answers.filter(({ status }) => status === 200).length;
    };
    const keyed = await statusesWith('203.0.113.71', { 'carte-key': key });
    const reached = seen.filter(({ headers }) => headers['carte-key'] === key).length;
    const open = await statusesWith('203.0.113.72', {});
    const malformed = await statusesWith('203.0.113.73', { 'carte-key': 'carte_something' });

    expect([keyed, reached]).toEqual([300, 300]);
    expect([open, malformed]).toEqual([60, 60]);
  });

  test('[OPS-67] a flood from one address is rejected and affects no instance or other client', async () => {
    const { url } = gateway;
    const from = (localAddress: string) => async () => {
      const request = ask(`${url}/flood?token=canary-of-the-flood`, { localAddress });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: Buffer.concat(chunks).toString(),
      };
    };
    const flood = await Promise.all(Array.from({ length: 450 }, from('127.0.0.9')));
    const refused = flood.filter(({ status }) => status === 429);
    const asked = seen.length;
    const other = await from('127.0.0.10')();
    const near = await Promise.all(Array.from({ length: 450 }, from('127.0.0.1')));

    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(asked).toBe(flood.length - refused.length);
    expect(refused[0]).toMatchObject({
      headers: {
        'content-type': 'application/problem+json',
        'retry-after': '1',
        'x-request-id': expect.any(String),
      },
    });
    expect(JSON.parse(refused[0]!.body)).toMatchObject({
      type: '/problems/rate-limited',
      status: 429,
      requestId: refused[0]!.headers['x-request-id'],
    });
    expect([other.status, new Set(near.map(({ status }) => status))]).toEqual([
      200,
      new Set([200]),
    ]);
    expect(await gateway.log()).not.toContain('canary-of-the-flood');
  });

  const fetchMenus = async (count: number, client: (at: number) => string) => {
    menus = { limited: { body: 'of limited', isLimited: true } };
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        fetch(`${gateway.url}/api/v1/menu?organization_id=limited`, {
          headers: { 'x-forwarded-for': client(at) },
        }),
      ),
    );
    return { answers, served: answers.filter(({ status }) => status === 200).length };
  };

  test.each([
    ['an IPv4 address', () => '203.0.113.7', () => '203.0.113.8'],
    [
      'an IPv4 address with ports',
      (at: number) => `203.0.113.21:${40_000 + at}`,
      () => '203.0.113.22:40000',
    ],
    [
      'an IPv4 address as IPv6',
      (at: number) => `[::ffff:203.0.113.31]:${40_000 + at}`,
      () => '::ffff:203.0.113.32',
    ],
    [
      'an IPv6 network',
      (at: number) => `2001:db8:1:2::${at.toString(16)}`,
      () => '2001:db8:1:3::1',
    ],
    [
      'an IPv6 network with ports',
      (at: number) => `[2001:db8:1:4::${at}]:${40_000 + at}`,
      () => '[2001:db8:1:5::1]:1',
    ],
    [
      'a client of proxies',
      (at: number) => `10.0.0.${at}, 203.0.113.9`,
      () => '203.0.113.9, 203.0.113.10',
    ],
  ])(
    '[HTTP-78, HTTP-79] the client %s receives exactly 60 menus, also stored ones, and no other read',
    async (_, client, another) => {
      const first = await fetchMenus(100, client);
      await delay(1_500);
      const later = await fetchMenus(50, client);
      const revisions = await Promise.all(
        Array.from({ length: 80 }, (_each, at) =>
          fetch(`${gateway.url}/api/v1/menu/revision`, {
            headers: { 'x-forwarded-for': client(at) },
          }),
        ),
      );

      expect([first.served, later.served]).toEqual([60, 0]);
      expect(Number(later.answers[0]!.headers.get('retry-after'))).toBeGreaterThan(50);
      expect((await fetchMenus(1, another)).served).toBe(1);
      expect(new Set(revisions.map(({ status }) => status))).toEqual(new Set([200]));
    },
  );

  test("[HTTP-79] a proxy's 150 clients in brackets with ports count as 150", async () => {
    const { served } = await fetchMenus(
      150,
      (at) => `[2001:db8:9:${at.toString(16)}::1]:${40_000 + at}`,
    );

    expect(served).toBe(150);
  });

  test.each([
    ['IPv4', (client: number, _at: number) => `203.0.113.${client}`],
    [
      'IPv6',
      (client: number, at: number) => `2001:db8:0:${client.toString(16)}:${at}:${at}:${at}:1`,
    ],
    ['short IPv6', (client: number, at: number) => `2001:db8:77:${client.toString(16)}::${at}`],
    ['IPv4 with a port', (client: number, at: number) => `203.0.113.${client}:${50_000 + at}`],
    [
      'IPv6 with a port',
      (client: number, at: number) => `[2001:db8:78:${client.toString(16)}::${at}]:${50_000 + at}`,
    ],
  ])(
    '[HTTP-13] one instance receives all requests of one client, and both have clients: %s',
    async (_, client) => {
      const instances = new Set<number>();
      for (let number = 1; number <= 24; number += 1) {
        seen = [];
        for (let at = 1; at <= 4; at += 1)
          await fetch(`${gateway.url}/any/${at}`, {
            headers: { 'x-forwarded-for': client(number, at) },
          });
        const [first] = new Set(seen.map(({ server }) => server));
        expect(new Set(seen.map(({ server }) => server)).size).toBe(1);
        instances.add(first!);
      }
      expect(instances).toEqual(new Set([0, 1]));
    },
  );

  describe('menus behind the gateway', () => {
    const path = (organization: string, more = '') =>
      `/api/v1/menu?organization_id=${organization}${more}`;
    const get = async (
      target: string,
      headers: Record<string, string> = { 'accept-encoding': 'identity' },
    ) => {
      const answer = await fetch(gateway.url + target, { headers });
      return { status: answer.status, body: await answer.text(), headers: answer.headers };
    };
    const bodies = async (target: string, times: number) => {
      const answers = await Promise.all(Array.from({ length: times }, () => get(target)));
      return [...new Set(answers.map(({ body }) => body))];
    };
    const asked = () => seen.length;

    test('[OPS-58] cause one read of an instance for concurrent requests, and are never outdated', async () => {
      menus = { a: { body: 'first' } };
      const first = await bodies(path('a'), 40);
      await bodies(path('a'), 40);
      const once = sent;
      menus['a']!.body = 'second';
      const second = await bodies(path('a'), 10);

      expect([first, once, second]).toEqual([['first'], 1, ['second']]);
      expect(asked()).toBeGreaterThanOrEqual(80);
    });

    test('[OPS-58] remain separate by restaurant, by every other parameter and by encoding', async () => {
      menus = { b: { body: 'of b' }, c: { body: 'of c' } };
      expect([await bodies(path('b'), 5), await bodies(path('c'), 5)]).toEqual([
        ['of b'],
        ['of c'],
      ]);
      menus['b']!.body = 'of b, revision 2';
      expect(await bodies(path('b', '&revision=2'), 5)).toEqual(['of b, revision 2']);

      const zipped = await get(path('b', '&revision=2'), { 'accept-encoding': 'gzip' });
      const plain = await get(path('b', '&revision=2'));
      expect([
        zipped.headers.get('content-encoding'),
        plain.headers.get('content-encoding'),
      ]).toEqual(['gzip', null]);
      expect([zipped.body, plain.body]).toEqual(['of b, revision 2', 'of b, revision 2']);
      expect(plain.headers.get('vary')).toBe('Accept-Encoding');
      expect(plain.headers.get('cache-control')).toBe('public, max-age=60');
    });

    test('[OPS-58] cause 304 if a client has them, and one read of an instance', async () => {
      menus = { d: { body: 'of d' } };
      const { headers } = await get(path('d'));
      const etag = headers.get('etag')!;
      const same = await get(path('d'), { 'accept-encoding': 'identity', 'if-none-match': etag });
      const other = await get(path('d'), {
        'accept-encoding': 'identity',
        'if-none-match': '"older"',
      });

      expect([same.status, same.headers.get('etag'), other.status, other.body]).toEqual([
        304,
        etag,
        200,
        'of d',
      ]);
      expect(sent).toBe(1);
    });

    test('[OPS-58] remain unstored if an instance lacks them or they are for one person', async () => {
      menus = {
        e: { status: 503, body: 'not yet' },
        f: { body: 'of one person', cacheControl: 'private, no-store' },
      };
      const broken = await get(path('e'));
      menus['e'] = { body: 'of e' };
      const whole = await get(path('e'));
      await get(path('f'));
      menus['f']!.body = 'of another person';
      const personal = await get(path('f'));
      const before = asked();
      for (const target of [
        '/api/v1/menu/revision?organization_id=e',
        '/api/v1/availability?organization_id=e',
      ])
        for (let time = 0; time < 2; time += 1) await get(target);

      expect([broken.status, broken.body, whole.status, whole.body]).toEqual([
        503,
        'not yet',
        200,
        'of e',
      ]);
      expect(personal.body).toBe('of another person');
      expect(asked() - before).toBe(4);
    });

    test('[OPS-58] contain nothing of the original request', async () => {
      menus = { g: { body: 'of g' } };
      const [one, other] = [await get(path('g')), await get(path('g'))];
      const ids = [one, other].map(({ headers }) => headers.get('x-request-id'));

      expect(sent).toBe(1);
      expect(new Set(ids).size).toBe(2);
      expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id ?? ''))).toBe(true);
      expect([one, other].map(({ headers }) => headers.get('ratelimit'))).toEqual([null, null]);
    });

    test('[OPS-58] remain available while no instance is running', async () => {
      menus = { h: { body: 'of h' } };
      await get(path('h'));
      const ports = servers.map(portOf);
      for (const server of servers) server.close().closeAllConnections();
      await delay(1_200);
      const served = await get(path('h'));
      const others = await get('/api/v1/menu/revision?organization_id=h');
      for (const [at, server] of servers.entries())
        await once(server.listen(ports[at], '127.0.0.1'), 'listening');

      expect([served.status, served.body]).toEqual([200, 'of h']);
      expect(others.status).toBe(502);
    });
  });

  describe('pictures behind the gateway', () => {
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(gateway.url + path, { headers });
      return { status: response.status, headers: response.headers, body: await response.text() };
    };

    test('[MED-10] cause one read of an instance and are served with its headers', async () => {
      const answers = [
        await get('/media/one/c2.webp'),
        await get('/media/one/c2.webp'),
        await get('/media/two/c2.webp'),
      ];
      const etag = answers[0]!.headers.get('etag')!;
      const unchanged = await get('/media/one/c2.webp', { 'if-none-match': etag });

      expect(seen.map(({ url }) => url)).toEqual(['/media/one/c2.webp', '/media/two/c2.webp']);
      expect(answers[1]).toMatchObject({ status: 200, body: answers[0]!.body });
      expect(Object.fromEntries(answers[1]!.headers)).toMatchObject({
        etag,
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(unchanged.status).toBe(304);
      expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3);
      expect(answers.map(({ headers }) => headers.get('ratelimit'))).toEqual([null, null, null]);
    });

    test('[MED-10] remain unstored if they do not exist', async () => {
      const statuses = [
        (await get('/media/missing/c.webp')).status,
        (await get('/media/missing/c.webp')).status,
      ];

      expect([statuses, seen.length]).toEqual([[404, 404], 2]);
    });
  });
});
