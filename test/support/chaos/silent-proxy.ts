import { createServer, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP proxy that cuts connections silently: no FIN, no RST. */
export type SilentProxy = {
  port: number;
  leadTo(host: string, port: number): void;
  /**
   * Drops all bytes of current connections and those of the next `ms`, permanently, like a router
   * that lost its state. With `answers`, drops only responses.
   */
  cut(ms: number, lost?: 'everything' | 'answers'): Promise<void>;
  counts: { cuts: number; connectionsLost: number };
  close(): Promise<void>;
};

type Lost = 'nothing' | 'everything' | 'answers';
type Way = { near: Socket; far: Socket; lost: Lost };

export async function silentProxyTo(
  url: string,
): Promise<{ proxy: SilentProxy; throughProxy: string }> {
  const proxy = await startSilentProxy();
  const { hostname, port } = new URL(url);
  proxy.leadTo(hostname, Number(port));
  return {
    proxy,
    throughProxy: Object.assign(new URL(url), { host: `127.0.0.1:${proxy.port}` }).href,
  };
}

export async function startSilentProxy(): Promise<SilentProxy> {
  const ways = new Set<Way>();
  const counts = { cuts: 0, connectionsLost: 0 };
  let target: { host: string; port: number } | undefined;
  let present: Lost = 'nothing';

  const lose = (way: Way, lost: Lost): void => {
    if (way.lost === 'nothing' && lost !== 'nothing') counts.connectionsLost += 1;
    if (lost !== 'nothing') way.lost = lost;
  };

  const server = createServer((near) => {
    if (target === undefined) return void near.destroy();
    const way: Way = { near, far: connect(target), lost: 'nothing' };
    const { far } = way;
    lose(way, present);
    ways.add(way);
    near.on('data', (bytes) => {
      if (way.lost !== 'everything') far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (way.lost === 'nothing') near.write(bytes);
    });
    // Drops FIN packets as well.
    const end = (other: Socket) => (): void => {
      if (way.lost === 'nothing') other.destroy();
      if (near.destroyed && far.destroyed) ways.delete(way);
    };
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', end(other));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (host, port) => void (target = { host, port }),
    counts,
    async cut(ms, lost = 'everything') {
      counts.cuts += 1;
      present = lost;
      for (const way of ways) lose(way, lost);
      await delay(ms);
      present = 'nothing';
    },
    async close() {
      server.close();
      for (const { near, far } of ways) {
        near.destroy();
        far.destroy();
      }
    },
  };
}
