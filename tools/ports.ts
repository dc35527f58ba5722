import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartFailure } from '../platform/start-failure.ts';
import { errorCode } from './failure.ts';

const loopback = '127.0.0.1';

/** Takes a port of the loopback interface for a moment and returns its number; 0 asks for any free one. */
async function listenBriefly(port: number): Promise<number> {
  const server = createServer();
  server.listen(port, loopback);
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

/** A port on 127.0.0.1 below 32768 that was free a moment ago, for programs that keep their ports as 16 bits with a sign. */
export async function freeLowPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    const isFree = await listenBriefly(port).then(
      () => true,
      () => false,
    );
    if (isFree) return port;
  }
}

/**
 * The wanted port if nothing listens on it, or a free one when none is wanted.
 * @throws StartFailure naming `program` and the port when another program has it.
 */
export async function claimPort(program: string, wanted: number | undefined): Promise<number> {
  if (wanted === undefined) return freePort();
  try {
    return await listenBriefly(wanted);
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes(String(errorCode(error)))) {
      throw new StartFailure(
        `${program} cannot start because port ${wanted} on ${loopback} is in use; stop the program that has it or choose another port.`,
      );
    }
    throw error;
  }
}
