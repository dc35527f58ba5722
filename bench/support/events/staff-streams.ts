import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareProduct } from '../../../test/support/product.ts';
import { cpuMs } from '../cpu.ts';
import { readMemory } from '../process-memory.ts';
import type { Row } from '../report.ts';

const [LISTENERS, IDLE_SECONDS] = [500, 30];
const [MOST_MB, MOST_CORE_SHARE] = [40, 0.03];

/** Measures 500 staff streams on one API: memory, and idle CPU time. */
export async function measureStaffStreams(): Promise<Row[]> {
  const product = await prepareProduct({
    size: 'small',
    env: { LOG_LEVEL: 'warn', RATE_LIMIT_ADMIN: 'off' },
  });

  try {
    const api = await product.startApi({ STREAMS_PER_ADDRESS: String(LISTENERS + 1) });
    const { accessToken } = await product.signIn(api);
    const { hostname, port } = new URL(api.url);
    const request =
      `GET /api/admin/v1/stream HTTP/1.1\r\nHost: ${hostname}\r\n` +
      `Authorization: Bearer ${accessToken}\r\n\r\n`;

    async function listener(): Promise<Socket> {
      const socket = connect(Number(port), hostname);
      socket.write(request);
      for (let text = ''; !text.includes('event: snapshot');)
        text += String((await once(socket, 'data'))[0]);
      socket.resume();

      return socket;
    }

    async function load(): Promise<number> {
      const used = cpuMs(api.child.pid!);
      await delay(IDLE_SECONDS * 1_000);
      return (cpuMs(api.child.pid!) - used) / (IDLE_SECONDS * 1_000);
    }

    const sockets = [await listener()];
    sockets.pop()!.destroy();
    await delay(5_000);
    const [before, alone] = [await readMemory(api), await load()];
    while (sockets.length < LISTENERS) sockets.push(await listener());
    await delay(5_000);

    const open = await readMemory(api);
    const share = (await load()) - alone;
    for (const socket of sockets) socket.destroy();

    const row = { yardstick: '', ratio: null };

    return [
      {
        ...row,
        what: `memory of ${LISTENERS} streams of staff`,
        measured: `${open.rss - before.rss} MB (${before.rss} → ${open.rss})`,
        bar: `≤ ${MOST_MB} MB`,
        reached: open.rss - before.rss <= MOST_MB,
      },
      {
        ...row,
        what: `processor time of ${LISTENERS} streams of staff at rest`,
        measured: `${(share * 100).toFixed(1)} % of a core more than ${(alone * 100).toFixed(1)} % without them`,
        bar: `≤ ${MOST_CORE_SHARE * 100} %`,
        reached: share <= MOST_CORE_SHARE,
      },
    ];
  } finally {
    await product.stop();
  }
}
