import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from './start-failure.ts';

/**
 * Starts to accept connections and returns the port (0 asks for any free one). Throws StartFailure with one sentence
 * that names `what` when the port is taken or the address is not ours.
 */
export async function listen(server: Server, at: { host: string; port: number; what: string }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(at.port, at.host, resolve);
  try {
    await promise;
  } catch (error) {
    throw new StartFailure(`${at.what} cannot listen on ${at.host}:${at.port}: ${reasonOf(error)}.`, { cause: error });
  } finally {
    server.removeListener('error', reject);
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Stops accepting, then resolves when the last running request was answered. Every answer ends its connection from now on, and connections on which
 * nothing comes for `idleMs` are closed: a gateway keeps connections, and must not send an order again that it has sent on one that was being closed.
 */
export async function closeServer(server: Server, { idleMs = 0 }: { idleMs?: number } = {}): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  // Connections that the system has taken for us already are accepted first.
  await new Promise((accepted) => setImmediate(accepted));
  // That of HTTP closes idle connections at once.
  NetServer.prototype.close.call(server, () => resolve());
  const closed = new AbortController();
  void promise.then(() => closed.abort());
  await delay(idleMs, undefined, { signal: closed.signal }).catch(() => undefined);
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  server.closeIdleConnections();
  await promise.finally(() => clearInterval(sweep));
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  if (code === 'EADDRINUSE') return 'the port is in use';
  if (code === 'EACCES') return 'the port needs more rights';
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address';
  return message;
}
