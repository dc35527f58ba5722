import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartFailure } from '../platform/start-failure.ts';
import { errorCode } from './lock.ts';

const loopback = '127.0.0.1';

/** Listens briefly and returns the port; 0 selects a free one. */
async function listenBriefly(port: number, host = loopback): Promise<number> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new Error('a TCP server has a numeric address');

  return address.port;
}

/** Returns a port on 127.0.0.1 that was just free. */
export function freePort(): Promise<number> {
  return listenBriefly(0);
}

/** Browsers and `fetch` block ports up to 10080. */
export const LOWEST_PORT = 10_081;

/**
 * Returns a port below 32768 that was just free. Outgoing connections use higher ports, so it is
 * likely to stay free, and it fits into a signed 16-bit number.
 */
export async function freeLowPort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, 32_768);
    const isFree = await listenBriefly(port).then(
      () => true,
      () => false,
    );
    if (isFree) return port;
  }
}

export type WantedPort = {
  /** Name for an error, such as "The API". */
  program: string;
  port: number;
  variable?: string;
  host?: string;
};

/**
 * Returns the requested port, or any free port.
 * @throws StartFailure with program, port and variable if the port is in use
 */
export async function claimPort(wanted: WantedPort | undefined): Promise<number> {
  // A higher port may be used by an outgoing connection before the start.
  if (wanted === undefined) return freeLowPort();
  const { program, port, variable, host = loopback } = wanted;

  try {
    return await listenBriefly(port, host);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const choose =
      variable === undefined ? 'choose another port' : `set ${variable} to another port`;

    throw new StartFailure(
      `${program} cannot start because port ${port} on ${host} is in use; stop the program that has it or ${choose}.`,
    );
  }
}

export async function isFree(port: number, host = loopback): Promise<boolean> {
  try {
    await listenBriefly(port, host);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES'].includes(String(errorCode(error)));
}
