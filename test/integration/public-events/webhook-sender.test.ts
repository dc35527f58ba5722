import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeServer, listen } from '../../../platform/http-server.ts';
import { createWebhookSender } from '../../../platform/webhook-sender.ts';

let port: number;
let requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(request.url ?? '');
  if (request.url === '/redirect')
    return void response.writeHead(302, { location: '/target' }).end();
  if (request.url?.startsWith('/busy') === true) {
    const pause = decodeURIComponent(request.url.slice('/busy/'.length));
    return void response.writeHead(429, { 'retry-after': pause }).end();
  }
  if (request.url === '/silent') return;
  if (request.url === '/endless') {
    response.writeHead(200);
    const write = () => {
      while (response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', write);
    write();
    return;
  }
  response.writeHead(204).end();
});
beforeAll(async () => {
  port = await listen(server, { host: '127.0.0.1', port: 0, what: 'A receiver' });
});
afterAll(async () => {
  server.closeAllConnections();
  await closeServer(server);
});

const strict = createWebhookSender({ allowsPrivate: false, limitMs: 3_000 });
const open = createWebhookSender({ allowsPrivate: true, limitMs: 500 });
const to = (host: string, path = '/') => ({
  url: `http://${host}:${port}${path}`,
  headers: {},
  body: '{}',
});

describe('a sender of webhooks', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '0.0.0.0',
  ])('[EVT-13] rejects the private host %p without a connection', async (host) => {
    requests = [];

    expect(await strict(to(host))).toMatchObject({ status: null, error: 'ADDRESS_REFUSED' });
    expect(requests).toEqual([]);
  });

  test('[EVT-13] reaches private hosts if the installation allows them', async () => {
    expect(await open(to('127.0.0.1'))).toMatchObject({ status: 204, error: null });
  });

  test('[EVT-13] follows no redirects', async () => {
    requests = [];

    expect(await open(to('127.0.0.1', '/redirect'))).toMatchObject({ status: 302 });
    expect(requests).toEqual(['/redirect']);
  });

  test.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 0],
    ['a week, which is 12 hours', '604800', 43_200_000],
    ['a date that has passed', 'Sat, 14 Mar 2026 08:59:00 GMT', 0],
    ['words', 'soon', undefined],
  ])('[EVT-40] reads Retry-After: %s', async (_, field, expected) => {
    const { status, retryAfterMs } = await open(
      to('127.0.0.1', `/busy/${encodeURIComponent(field)}`),
    );

    expect([status, retryAfterMs]).toEqual([429, expected]);
  });

  test('[EVT-13] aborts a request without an answer at its limit', async () => {
    expect(await open(to('127.0.0.1', '/silent'))).toMatchObject({
      status: null,
      error: 'TIMEOUT',
    });
  });

  test('[EVT-13] stops reading a long answer', async () => {
    expect(await open(to('127.0.0.1', '/endless'))).toMatchObject({ status: 200, error: null });
  });

  test('[EVT-12] reports a receiver that cannot be reached', async () => {
    expect(await open({ url: 'http://127.0.0.1:1/', headers: {}, body: '{}' })).toMatchObject({
      error: 'CONNECTION_FAILED',
    });
  });
});
