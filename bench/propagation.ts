import { setTimeout as delay } from 'node:timers/promises';
import { prepareProduct } from '../test/support/product.ts';
import { startEntry } from '../test/support/processes.ts';
import { seedDemo } from '../packages/demo/seed/seed.ts';
import { editEveryMenu, stopLists } from './support/chain-changes.ts';
import { median, p95, report, type Row } from './support/report.ts';

// `npm run carte -- bench propagation` measures the time from a stop-list change in the ERP until
// guests see it: with a webhook, without webhooks, and while all menus are rebuilt. Baseline: one
// commit and one request, the last two steps.
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 20);
const RESTAURANTS = Number(process.env['BENCH_RESTAURANTS'] ?? 300);
const POLL_S = 5;
const GIVE_UP_MS = 60_000;

const product = await prepareProduct({
  size: 'demo',
  growth: { organizations: RESTAURANTS },
  env: { LOG_LEVEL: 'warn', SYNC_STOP_LIST_EVERY: `${POLL_S}s`, RATE_LIMIT_WEBHOOK: 'off' },
});

try {
  await product.startWorker();
  const api = await product.startApi();
  const { email, password } = product.administrator;
  const log = (line: string) => console.log(line);
  await seedDemo({ baseUrl: api.url, email, password, apiLogin: product.emulator.apiLogin, log });
  const schedules = startEntry('schedules', 'workers/schedules-apply.ts', [], product.env);
  if ((await schedules.exited) !== 0)
    throw new Error(`schedules:apply failed:\n${schedules.output()}`);
  await product.settled();

  const [sold] = await product.db.query<{ organizationId: string; itemId: string }>(
    `select s.organization_erp_id as "organizationId", i.erp_id as "itemId" from snapshot s
       join mirror_price p on p.organization_id = s.organization_id and p.lost_at is null
       join catalog_variant v on v.item_size_id = p.item_size_id join catalog_product c on c.id = v.product_id and c.status = 'PUBLISHED'
       join mirror_item_size z on z.id = v.item_size_id join mirror_item i on i.id = z.item_id and i.deleted_at is null
      where not exists (select 1 from mirror_stop_list l where l.item_erp_id = i.erp_id) order by i.id limit 1`,
  );
  if (sold === undefined) throw new Error('nothing is sold');

  const { organizationId, itemId } = sold;
  const address = `${api.url}/api/v1/availability?organization_id=${organizationId}`;
  const isStopped = async () => {
    const { unavailableItemIds } = (await (await fetch(address)).json()) as {
      unavailableItemIds: string[];
    };
    return unavailableItemIds.includes(itemId);
  };

  async function change(round: number): Promise<number> {
    const stopped = round % 2 === 0;
    const begun = performance.now();
    await product.emulator.control(stopped ? 'stop' : 'unstop', {
      organizationId,
      itemIds: [itemId],
    });

    while ((await isStopped()) !== stopped) {
      if (performance.now() - begun > GIVE_UP_MS)
        throw new Error(`nothing arrived:\n${product.logs().slice(-4_000)}`);
      await delay(10);
    }

    return performance.now() - begun;
  }

  async function commitAndRequest(): Promise<number> {
    const begun = performance.now();
    await product.db.query(`select pg_notify('bench', '')`);
    await isStopped();
    return performance.now() - begun;
  }

  const webhook = { url: `${api.url}/api/webhooks/erp`, token: product.env['WEBHOOK_SECRET'] };
  const measured: Record<'webhook' | 'poll' | 'yardstick', number[]> = {
    webhook: [],
    poll: [],
    yardstick: [],
  };

  for (const way of ['webhook', 'poll'] as const) {
    await product.emulator.control('webhook', {
      ...webhook,
      mode: way === 'webhook' ? 'normal' : 'lose',
    });

    await change(0);
    await change(1);

    for (let round = 0; round < ROUNDS; round += 1) {
      // Avoids the rhythm of the schedule.
      await delay(150 + ((round * 977) % 1_700));
      measured[way].push(await change(round));
      measured.yardstick.push(await commitAndRequest());
    }

    if (ROUNDS % 2 === 1) await change(1);
  }

  const stops = await stopLists(product, [api.url]);
  const begun = performance.now();
  const edit = await editEveryMenu(product, await product.signIn(api));
  const meanwhile: number[] = [];
  while ((await edit.left()) > 0) meanwhile.push(await stops.stop());
  const builtSeconds = (performance.now() - begun) / 1_000;

  const yardstick = median(measured.yardstick);
  const row = (what: string, values: number[], mostMs: number): Row => ({
    what,
    measured: `p95 ${p95(values).toFixed(0)} ms, median ${median(values).toFixed(0)}`,
    yardstick: `commit and request ${yardstick.toFixed(1)} ms`,
    ratio: median(values) / yardstick,
    bar: `p95 ≤ ${mostMs} ms`,
    reached: p95(values) <= mostMs,
  });

  await report(
    'propagation',
    [
      row('stop-list change to the answer, with its webhook', measured.webhook, 2_000),
      row(
        `the same without webhooks, poll every ${POLL_S} s`,
        measured.poll,
        POLL_S * 1_000 + 2_000,
      ),
      row(`the same with its webhook while ${RESTAURANTS} menus are built`, meanwhile, 2_000),
      {
        what: `an edit of the whole catalog is public in ${RESTAURANTS} restaurants`,
        measured: `${builtSeconds.toFixed(1)} s`,
        yardstick: '',
        ratio: null,
        bar: '',
        reached: true,
      },
    ],
    { rounds: ROUNDS, restaurants: RESTAURANTS, pollSeconds: POLL_S, measured, meanwhile },
  );
} finally {
  await product.stop();
}
