import type { Server } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from './start-failure.ts';

/**
 * Listens and returns the port (0 selects one). Throws StartFailure with `what` if the port is in
 * use or the address is not local.
 */
export async function listen(
  server: Server,
  at: { host: string; port: number; what: string },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(at.port, at.host, resolve);

  try {
    await promise;
  } catch (error) {
    throw new StartFailure(
      `${at.what} cannot listen on ${at.host}:${at.port}: ${describeError(error)}.`,
      { cause: error },
    );
  } finally {
    server.removeListener('error', reject);
  }

  return (server.address() as AddressInfo).port;
}

/**
 * Resolves after the last running request. Closes silent connections after `idleMs`, so that a
 * gateway does not resend an order that it sent on a closing connection.
 */
export async function closeServer(
  server: Server,
  { idleMs = 0 }: { idleMs?: number } = {},
): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  // Accepts established connections.
  await quietTurn();
  // HTTP's own `close` would close idle connections.
  NetServer.prototype.close.call(server, () => resolve());
  const closed = new AbortController();
  void promise.then(() => closed.abort());
  const { signal } = closed;
  await delay(idleMs, undefined, { signal }).catch(() => undefined);

  while (!signal.aborted) {
    // Connections with unread requests are not idle.
    await quietTurn();
    server.closeIdleConnections();
    await delay(SWEEP_MS, undefined, { signal }).catch(() => undefined);
  }
}

const SWEEP_MS = 50;
/** Longest duration of a quiet turn of the event loop, and longest wait for one. */
const [QUIET_MS, PATIENCE_MS] = [1, 500];

/** Resolves when everything that arrived was read. */
async function quietTurn(): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (let startMs = performance.now(); ; startMs = performance.now()) {
    await new Promise((done) => setImmediate(done));
    const now = performance.now();
    if (now - startMs < QUIET_MS || now > until) return;
  }
}

function describeError(error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  if (code === 'EADDRINUSE') return 'the port is in use';
  if (code === 'EACCES') return 'the port needs more rights';
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address';
  return message;
}
