import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { createHttpServer } from '../../../api/http/server.ts';
import { listen } from '../../../platform/http-server.ts';
import { eventually } from '../../support/processes.ts';

const BIG = Buffer.alloc(32 * 1024 * 1024, 'x');
const IDLE_MS = 500;

const opened: { server: Server; sockets: Socket[] }[] = [];
afterEach(async () => {
  for (const { server, sockets } of opened.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    if (server.listening) await once(server, 'close');
  }
});

async function start(idleMs?: number) {
  const app = new Koa();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  app.use(async (ctx) => {
    if (ctx.path === '/held') {
      ctx.status = 200;
      ctx.respond = false;
      ctx.res.writeHead(200, { 'Content-Length': 8 });
      ctx.res.write('half');
      await held;
      ctx.res.end('more');
    } else ctx.body = ctx.path === '/big' ? BIG : 'ok';
  });
  const server = createHttpServer({
    hot: () => false,
    app,
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0, what: 'A server of a test' });
  const sockets: Socket[] = [];
  opened.push({ server, sockets });
  return {
    server,
    release,
    open: (text: string): Socket => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(text);
      sockets.push(socket);
      return socket;
    },
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
const until = (what: string, isTrue: () => boolean | Promise<boolean>, limitMs?: number) =>
  eventually(what, async () => ((await isTrue()) ? true : undefined), limitMs);
const countConnections = async (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

test('[HTTP-21] a client that does not read its answer loses its connection', async () => {
  const { server, open } = await start(IDLE_MS);
  // Without a listener for data nothing is read.
  open(get('/big'));
  await until('the connection', async () => (await countConnections(server)) === 1);

  await until('its end', async () => (await countConnections(server)) === 0, 10_000);

  expect(server.listening).toBe(true);
});

test('[HTTP-21] a client that reads slowly gets its whole answer', async () => {
  // The limit is long, because work in this process may block the reader.
  const { open } = await start(4 * IDLE_MS);
  const socket = open(get('/big'));
  let bytes = 0;
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length;
    // Reads longer than the limit in total, but is never silent.
    if (bytes < BIG.length / 2) await delay(10);
    if (bytes >= BIG.length) break;
  }

  expect(bytes).toBeGreaterThanOrEqual(BIG.length);
});

test('clients have a minute between bytes of a request, and more between requests', async () => {
  const { server, open, release } = await start();
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = open(get('/held'));
  client.resume();
  const [socket] = await accepted;

  await until('it is looked after', () => socket.timeout === 60_000);
  release();
  await until('the answer is over', () => (socket.timeout ?? 0) > server.keepAliveTimeout - 1);
  client.pause();
  client.write(get('/big'));
  await until('the next one is looked after', () => socket.timeout === 60_000);

  // Node's own time-out would be a timer for each request.
  expect(server.timeout).toBe(0);
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
});

test('the number of connections is limited', async () => {
  const { server } = await start();

  expect(server.maxConnections).toBe(10_000);
});

test('[HTTP-21] an invalid request behind a half-sent answer ends the connection and sends nothing into it', async () => {
  const { open, release } = await start();
  const socket = open(get('/held'));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await until('half of the answer', () => Buffer.concat(chunks).includes('half'));

  socket.write('\0BAD\r\n\r\n');
  await once(socket, 'close');
  release();

  expect(
    Buffer.concat(chunks)
      .toString()
      .match(/HTTP\/1\.1/g),
  ).toHaveLength(1);
});
