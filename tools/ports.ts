import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartFailure } from '../platform/start-failure.ts';
import { errorCode } from './lock.ts';

const loopback = '127.0.0.1';

/** Opens a port briefly and returns its number; 0 selects a free one. */
async function listenBriefly(port: number, host = loopback): Promise<number> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a numeric address');
  return address.port;
}

/** A port on 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return listenBriefly(0);
}

/** Above 10080, the last port that browsers and `fetch` block. */
export const LOWEST_PORT = 10_081;

/**
 * A port on 127.0.0.1 below 32768 that was free a moment ago: for programs that keep their ports as
 * 16 bits with a sign, and for ports that are used later, because outgoing connections are given
 * the ones above.
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
  /** The name of the program in an error, "The API". */
  program: string;
  port: number;
  /** The variable that chooses the port, where there is one. */
  variable?: string;
  host?: string;
};

/**
 * The requested port if it is free, or any free port if none is requested.
 * @throws StartFailure naming the program, the port and the variable that chooses it when another
 * program has it.
 */
export async function claimPort(wanted: WantedPort | undefined): Promise<number> {
  // Between the claim and the start an outgoing connection may be given a higher one.
  if (wanted === undefined) return freeLowPort();
  const { program, port, variable, host = loopback } = wanted;
  try {
    return await listenBriefly(port, host);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const choose = variable === undefined ? 'choose another port' : `set ${variable} to another port`;
    throw new StartFailure(
      `${program} cannot start because port ${port} on ${host} is in use; stop the program that has it or ${choose}.`,
    );
  }
}

/** Returns whether a program could listen on the port now. */
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
