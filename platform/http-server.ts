import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** Stops accepting, then resolves when the last running request was answered; idle connections are closed as they fall idle. */
export async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
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
