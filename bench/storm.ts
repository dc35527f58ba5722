import { prepareProduct } from '../test/support/product.ts';
import { seedDemo } from '../packages/demo/seed/seed.ts';
import { editEveryMenu, stopLists } from './support/chain-changes.ts';
import { median, p95, report, type Row } from './support/report.ts';

// `npm run carte -- bench storm`: an edit of the catalog that concerns every restaurant, and
// changes of stop-lists while their menus are built, each from the external system until guests see
// it. The yardstick is the same change of a stop-list while nothing is built. Real processes: one
// API, and one worker for each word of BENCH_ROLES.
const RESTAURANTS = Number(process.env['BENCH_RESTAURANTS'] ?? 300);
const ROLES = (process.env['BENCH_ROLES'] ?? 'sync').split(' ');
const QUIET_ROUNDS = 10;

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
  const stops = await stopLists(product, [api.url]);
  const quiet: number[] = [];
  for (let round = 0; round < QUIET_ROUNDS; round += 1) quiet.push(await stops.stop());

  const admin = await product.signIn(api);
  const begun = performance.now();
  const edit = await editEveryMenu(product, admin);
  const meanwhile: number[] = [];
  while ((await edit.left()) > 0) meanwhile.push(await stops.stop());
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
