import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { closeServer, listen } from '../../../platform/http-server.ts';

async function ask(agent: Agent, port: number): Promise<IncomingMessage> {
  const asked = request({ agent, port, host: '127.0.0.1', method: 'POST' }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

test('[OPS-48] a stopping server answers on open connections, closes them, and accepts no new ones', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  const port = await listen(server, { host: '127.0.0.1', port: 0, what: 'The server' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = await ask(agent, port);
  const closing = closeServer(server, { idleMs: 60_000 });
  await delay(20);
  const refused = await ask(new Agent(), port).catch((error: { code: string }) => error.code);
  const during = await ask(agent, port);
  await closing;

  expect(before.headers.connection).toBe('keep-alive');
  expect(refused).toBe('ECONNREFUSED');
  expect([during.statusCode, during.headers.connection]).toEqual([200, 'close']);
});

test('[OPS-48] a silent connection delays a stop for a limited time', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  const port = await listen(server, { host: '127.0.0.1', port: 0, what: 'The server' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await ask(agent, port);
  let isClosed = false;
  const closing = closeServer(server, { idleMs: 400 }).then(() => (isClosed = true));
  await delay(200);
  const early = isClosed;
  await closing;

  expect([early, isClosed]).toEqual([false, true]);
  agent.destroy();
});
