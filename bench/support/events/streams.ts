import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { seedDemo } from '../../../packages/demo/seed/seed.ts';
import { prepareProduct } from '../../../test/support/product.ts';
import { cpuMs } from '../cpu.ts';
import { readMemory } from '../process-memory.ts';
import { median, type Row } from '../report.ts';

const LISTENERS = Number(process.env['BENCH_LISTENERS'] ?? 10_000);
const [IDLE_SECONDS, ROUNDS, CONNECTING] = [30, 10, 200];
const GIVE_UP_MS = 30_000;
const [MOST_MB, MOST_CORE_SHARE, MOST_MS] = [150, 0.05, 1_000];

/**
 * Measures 10,000 listeners of one menu on one API: memory, idle CPU time, and time until all
 * listeners have a stop-list change. Baseline: a polling client.
 */
export async function measureStreams(): Promise<Row[]> {
  const product = await prepareProduct({
    size: 'demo',
    env: { LOG_LEVEL: 'warn', RATE_LIMIT_WEBHOOK: 'off' },
  });

  try {
    await product.startWorker();
    const seeding = await product.startApi();
    await seedDemo({
      baseUrl: seeding.url,
      ...product.administrator,
      apiLogin: product.emulator.apiLogin,
      log: () => undefined,
    });

    await product.settled();
    await seeding.stop();
    const api = await product.startApi({
      STREAM_LISTENERS: String(LISTENERS),
      STREAMS_PER_ADDRESS: String(LISTENERS),
    });

    const [sold] = await product.db.query<{ organizationId: string; itemId: string }>(
      `select s.organization_erp_id as "organizationId", i.erp_id as "itemId" from snapshot s
       join mirror_price p on p.organization_id = s.organization_id and p.lost_at is null
       join catalog_variant v on v.item_size_id = p.item_size_id
       join catalog_product c on c.id = v.product_id and c.status = 'PUBLISHED'
       join mirror_item_size z on z.id = v.item_size_id join mirror_item i on i.id = z.item_id and i.deleted_at is null
      where not exists (select 1 from mirror_stop_list l where l.item_erp_id = i.erp_id) order by i.id limit 1`,
    );

    const { organizationId, itemId } = sold!;
    const webhook = {
      url: `${api.url}/api/webhooks/erp`,
      token: product.env['WEBHOOK_SECRET'],
      mode: 'normal',
    };

    await product.emulator.control('webhook', webhook);
    const address = `${api.url}/api/v1/availability?organization_id=${organizationId}`;

    /**
     * Stops or releases a dish in the ERP. Returns the milliseconds until a polling client sees the
     * change.
     */
    async function change(round: number): Promise<number> {
      const isStopped = round % 2 === 0;
      const begun = performance.now();
      await product.emulator.control(isStopped ? 'stop' : 'unstop', {
        organizationId,
        itemIds: [itemId],
      });

      for (;;) {
        const lists = (await (await fetch(address)).json()) as { unavailableItemIds: string[] };
        if (lists.unavailableItemIds.includes(itemId) === isStopped)
          return performance.now() - begun;
        if (performance.now() - begun > GIVE_UP_MS)
          throw new Error(`nothing arrived:\n${product.logs().slice(-4_000)}`);
        await delay(10);
      }
    }

    await change(0);
    await change(1);
    const { hostname, port } = new URL(api.url);
    const request = `GET /api/v1/stream?organization_id=${organizationId} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;

    const seen = new Float64Array(LISTENERS);
    let events = 0;

    async function listener(at: number): Promise<Socket> {
      const socket = connect(Number(port), hostname);
      socket.on('data', (bytes) => {
        if (!bytes.includes('event: availability')) return;
        seen[at] = performance.now();
        events += 1;
      });

      socket.write(request);
      await once(socket, 'data');

      return socket;
    }

    const before = await readMemory(api);
    const sockets: Socket[] = [];

    while (sockets.length < LISTENERS) {
      const batch = Array.from(
        { length: Math.min(CONNECTING, LISTENERS - sockets.length) },
        (_, at) => listener(sockets.length + at),
      );

      sockets.push(...(await Promise.all(batch)));
    }

    await delay(5_000);
    const open = await readMemory(api);
    const used = cpuMs(api.child.pid!);
    await delay(IDLE_SECONDS * 1_000);
    const coreShare = (cpuMs(api.child.pid!) - used) / (IDLE_SECONDS * 1_000);

    const [first, last, polled]: [number[], number[], number[]] = [[], [], []];

    for (let round = 0; round < ROUNDS; round += 1) {
      events = 0;
      const begun = performance.now();
      polled.push(await change(round));
      while (events < LISTENERS && performance.now() - begun < GIVE_UP_MS) await delay(5);
      if (events < LISTENERS) throw new Error(`${LISTENERS - events} listeners have no event`);
      first.push(Math.min(...seen) - begun);
      last.push(Math.max(...seen) - begun);
      await delay(1_000);
    }

    const spread = last.map((ms, at) => ms - first[at]!);
    for (const socket of sockets) socket.destroy();
    const perListener = ((open.rss - before.rss) * 1e6) / LISTENERS / 1_000;

    return [
      {
        what: `memory of ${LISTENERS} listeners`,
        measured: `${open.rss - before.rss} MB (${before.rss} → ${open.rss}), ${perListener.toFixed(1)} kB each`,
        yardstick: '',
        ratio: null,
        bar: `≤ ${MOST_MB} MB`,
        reached: open.rss - before.rss <= MOST_MB,
      },
      {
        what: 'processor time at rest',
        measured: `${(coreShare * 100).toFixed(1)} % of a core`,
        yardstick: '',
        ratio: null,
        bar: `≤ ${MOST_CORE_SHARE * 100} %`,
        reached: coreShare <= MOST_CORE_SHARE,
      },
      {
        what: 'stop-list change until the last listener has it',
        measured: `median ${median(last).toFixed(0)} ms, most ${Math.max(...last).toFixed(0)}; from the first to the last ${median(spread).toFixed(0)}`,
        yardstick: `one client that polls ${median(polled).toFixed(0)} ms`,
        ratio: median(last) / median(polled),
        bar: `≤ ${MOST_MS} ms from the first to the last`,
        reached: Math.max(...spread) <= MOST_MS,
      },
    ];
  } finally {
    await product.stop();
  }
}
