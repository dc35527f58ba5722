import { setTimeout as delay } from 'node:timers/promises';
import { prepareProduct } from '../test/support/product.ts';
import { seedDemo } from '../tools/demo/seed.ts';
import { median, p95, report, type Row } from './support/report.ts';

// `npm run bench:storm`: an edit of the catalogue that concerns every restaurant, and changes of stop-lists while their menus are built,
// each from the external system until guests are told. The yardstick is the same change of a stop-list while nothing is built. Real
// processes: one API, and one worker for each word of BENCH_ROLES.
const RESTAURANTS = Number(process.env['BENCH_RESTAURANTS'] ?? 300);
const ROLES = (process.env['BENCH_ROLES'] ?? 'sync').split(' ');
const QUIET_ROUNDS = 10;
const GIVE_UP_MS = 300_000;

const product = await prepareProduct({
  size: 'demo',
  growth: { organizations: RESTAURANTS },
  env: { LOG_LEVEL: 'warn', RATE_LIMIT_WEBHOOK: 'off' },
});
try {
  for (const role of ROLES) await product.startWorker({}, role);
  const api = await product.startApi();
  const { email, password } = product.administrator;
  const log = (line: string) => console.log(line);
  await seedDemo({ baseUrl: api.url, email, password, apiLogin: product.emulator.apiLogin, log });
  await product.settled();
  const webhook = { url: `${api.url}/api/webhooks/erp`, token: product.env['WEBHOOK_SECRET'], mode: 'normal' };
  await product.emulator.control('webhook', webhook);

  const sold = await product.db.query<{ organizationId: string; itemId: string }>(
    `select distinct on (s.organization_id) s.organization_erp_id as "organizationId", i.erp_id as "itemId" from snapshot s
       join mirror_price p on p.organization_id = s.organization_id and p.lost_at is null
       join catalog_variant v on v.item_size_id = p.item_size_id join catalog_product c on c.id = v.product_id and c.status = 'PUBLISHED'
       join mirror_item_size z on z.id = v.item_size_id join mirror_item i on i.id = z.item_id and i.deleted_at is null
      where not exists (select 1 from mirror_stop_list l where l.item_erp_id = i.erp_id and l.organization_id = s.organization_id)
      order by s.organization_id, i.id`,
  );
  const isStopped = async (at: (typeof sold)[number]) => {
    const url = `${api.url}/api/v1/availability?organization_id=${at.organizationId}`;
    const { unavailableItemIds } = (await (await fetch(url)).json()) as { unavailableItemIds: string[] };
    return unavailableItemIds.includes(at.itemId);
  };
  /** Milliseconds from a stopped dish in the external system until guests of that restaurant are told. */
  async function stop(round: number): Promise<number> {
    const at = sold[(round * 37) % sold.length]!;
    const begun = performance.now();
    await product.emulator.control('stop', { organizationId: at.organizationId, itemIds: [at.itemId] });
    while (!(await isStopped(at))) {
      if (performance.now() - begun > GIVE_UP_MS) throw new Error(`nothing arrived:\n${product.logs().slice(-4_000)}`);
      await delay(10);
    }
    return performance.now() - begun;
  }

  let round = 0;
  const quiet: number[] = [];
  for (; round < QUIET_ROUNDS; round += 1) quiet.push(await stop(round));

  const admin = await product.signIn(api);
  const [category] = (await admin.get<{ items: { id: number; name: string; version: number }[] }>('/categories?size=1'))
    .items;
  const begun = performance.now();
  await admin.patch(`/categories/${category!.id}`, { name: `${category!.name} today`, version: category!.version });
  const left = async () =>
    (
      await product.db.query<{ left: number }>(
        'select count(*) as left from snapshot_request where dirty_seq > built_seq',
      )
    )[0]!.left;
  const meanwhile: number[] = [];
  while ((await left()) > 0) {
    meanwhile.push(await stop(round));
    round += 1;
    if (round >= sold.length) throw new Error('too few restaurants for this storm');
  }
  const built = performance.now() - begun;

  const yardstick = median(quiet);
  const row = (what: string, values: readonly number[], mostMs: number): Row => ({
    what,
    measured: `p95 ${p95(values).toFixed(0)} ms, median ${median(values).toFixed(0)}, ${values.length} changes`,
    yardstick: `while nothing is built ${yardstick.toFixed(0)} ms`,
    ratio: median(values) / yardstick,
    bar: `p95 ≤ ${mostMs} ms`,
    reached: p95(values) <= mostMs,
  });
  await report(
    'storm',
    [
      row('stop-list change to the answer, nothing else', quiet, 2_000),
      row(`the same while ${RESTAURANTS} menus are built`, meanwhile, 2_000),
      {
        what: `an edit of the whole catalogue is public in ${RESTAURANTS} restaurants`,
        measured: `${(built / 1_000).toFixed(1)} s, ${(built / RESTAURANTS).toFixed(0)} ms a restaurant`,
        yardstick: '',
        ratio: null,
        bar: 'none',
        reached: true,
      },
    ],
    { restaurants: RESTAURANTS, roles: ROLES, quiet, meanwhile, built },
  );
} finally {
  await product.stop();
}
