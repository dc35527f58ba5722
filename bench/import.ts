import { prepareProduct, type Product } from '../test/support/product.ts';
import { seedConnection } from '../packages/demo/seed/seed.ts';
import { measureGrowth } from './support/import-growth.ts';
import {
  emptyMirror,
  importMenu,
  MENU,
  peakMiB,
  TABLES,
  type Imported,
} from './support/menu-import.ts';
import { median, report, type Row } from './support/report.ts';
import { asOwner } from '../test/support/database-roles.ts';

// `npm run carte -- bench import` compares the full import of a realistic menu (about 5.4 MB, 10
// organizations) with a plain COPY. It also measures imports of more organizations and larger
// menus.
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);

const product = await prepareProduct({
  size: 'demo',
  env: { LOG_LEVEL: 'warn', RECONCILE_EVERY: '1h' },
});

try {
  const all = await product.startWorker({}, 'sync');
  const api = await product.startApi();
  const admin = await product.signIn(api);
  await seedConnection({
    baseUrl: api.url,
    email: product.administrator.email,
    password: product.administrator.password,
    apiLogin: product.emulator.apiLogin,
    log: (line: string) => console.log(line),
  });

  const peakOfAll = await peakMiB(all);
  await all.stop();
  await product.startWorker({}, 'order');
  const worker = await product.startWorker({}, 'import');

  const first = await importMenu(product, admin, 'FULL', () => emptyMirror(product));
  const repeated: Imported[] = [];
  for (let round = 1; round < ROUNDS; round += 1)
    repeated.push(await importMenu(product, admin, 'FULL', () => emptyMirror(product)));
  const fresh = [first, ...repeated];
  const again = await importMenu(product, admin, 'FULL');
  const unchanged = await importMenu(product, admin, 'INCREMENTAL');
  const peak = await peakMiB(worker);
  const copies: { rows: number; seconds: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) copies.push(await plainCopy(product));

  const apply = median(fresh.map((entry) => entry.stages['applyImport'] ?? Number.NaN));
  const copy = median(copies.map((entry) => entry.seconds));
  const total = median(fresh.map((entry) => entry.seconds));
  const stats = await product.emulator.control<{ bytes: number }>(`stats?menuId=${MENU}`);
  const seconds = (value: number) => `${value.toFixed(2)} s`;
  const rows: Row[] = [
    {
      what: 'full import, empty mirror',
      measured: seconds(total),
      yardstick: '',
      ratio: null,
      bar: '≤ 5 s',
      reached: total <= 5,
    },
    {
      what: 'apply, empty mirror',
      measured: seconds(apply),
      yardstick: `COPY of ${copies[0]!.rows} rows ${seconds(copy)}`,
      ratio: apply / copy,
      bar: '≤ 4 × COPY',
      reached: apply / copy <= 4,
    },
    {
      what: 'full import, nothing changed',
      measured: seconds(again.seconds),
      yardstick: '',
      ratio: null,
      bar: '≤ 5 s',
      reached: again.seconds <= 5,
    },
    {
      what: 'unchanged revision',
      measured: seconds(unchanged.seconds),
      yardstick: '',
      ratio: null,
      bar: '≤ 0.3 s',
      reached: unchanged.seconds <= 0.3,
    },
    memoryRow('peak RSS of a worker that imports menus only', peak),
    memoryRow('peak RSS of a worker of role sync', peakOfAll),
  ];

  await product.stop();
  await report('import', [...rows, ...(await measureGrowth())], {
    menuBytes: stats.bytes,
    rows: copies[0]!.rows,
    fresh,
    again,
    unchanged,
    copies,
  });
} finally {
  await product.stop();
}

function memoryRow(what: string, mebibytes: number): Row {
  const reached = mebibytes * 1.048576 <= 256;
  return {
    what,
    measured: `${mebibytes} MiB`,
    yardstick: '',
    ratio: null,
    bar: '≤ 256 MB',
    reached,
  };
}

/** Copies the imported rows into tables with the same columns, constraints and indexes. */
async function plainCopy({ db }: Product): Promise<{ rows: number; seconds: number }> {
  let rows = 0;
  let seconds = 0;

  for (const table of TABLES) {
    await asOwner(db, `drop table if exists bench_${table}`);
    await asOwner(db, `create table bench_${table} (like ${table} including all)`);
    const file = `/tmp/carte-bench-${process.pid}-${table}`;
    await asOwner(db, `copy ${table} to '${file}'`);
    const begun = performance.now();
    await asOwner(db, `copy bench_${table} from '${file}'`);
    seconds += (performance.now() - begun) / 1000;
    rows += (
      await asOwner<{ count: number }>(db, `select count(*)::int as count from bench_${table}`)
    )[0]!.count;
    await asOwner(db, `drop table bench_${table}`);
    await asOwner(db, `copy (select 1) to program 'cat > /dev/null; rm -f ${file}'`);
  }

  return { rows, seconds };
}
