import { readFile } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { importWorkflowId } from '../contracts/ids.ts';
import { eventually, type Started } from '../test/support/processes.ts';
import { prepareProduct, type Product } from '../test/support/product.ts';
import type { AdminClient } from '../test/support/admin-client.ts';
import { seedConnection } from '../tools/demo/seed.ts';
import { median, report, type Row } from './support/report.ts';

// `npm run bench:import`: the full import of the recorded-size menu (about 5.4 MB, 10 organizations) in a real worker process,
// by stage, with the worker's peak memory, against a plain COPY of the same rows.
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const MENU = '9001';
/** Tables whose rows the apply step writes, in an order that satisfies their foreign keys. */
const TABLES = [
  'mirror_item',
  'mirror_item_menu',
  'mirror_item_placement',
  'mirror_item_size',
  'mirror_size_menu',
  'mirror_price',
  'mirror_modifier_group',
  'mirror_modifier_link',
];

type Run = { id: number; status: string; startedAt: string; finishedAt: string };
type Stages = Record<string, number>;

const product = await prepareProduct({ size: 'demo', env: { LOG_LEVEL: 'warn', RECONCILE_EVERY: '1h' } });
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
  const repeated: { seconds: number; stages: Stages }[] = [];
  for (let round = 1; round < ROUNDS; round += 1)
    repeated.push(await importMenu(product, admin, 'FULL', () => emptyMirror(product)));
  const fresh = [first, ...repeated];
  const again = await importMenu(product, admin, 'FULL');
  const unchanged = await importMenu(product, admin, 'INCREMENTAL');
  const peak = await peakMiB(worker);
  const copies: { rows: number; seconds: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) copies.push(await plainCopy(product));

  const apply = median(fresh.map((each) => each.stages['applyImport'] ?? Number.NaN));
  const copy = median(copies.map((each) => each.seconds));
  const total = median(fresh.map((each) => each.seconds));
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
  await report('import', rows, { menuBytes: stats.bytes, rows: copies[0]!.rows, fresh, again, unchanged, copies });
} finally {
  await product.stop();
}

function memoryRow(what: string, mebibytes: number): Row {
  const reached = mebibytes * 1.048576 <= 256;
  return { what, measured: `${mebibytes} MiB`, yardstick: '', ratio: null, bar: '≤ 256 MB', reached };
}

/** The most memory the process ever held, in MiB. */
async function peakMiB({ child }: Started): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024);
}

/** Runs one import through the admin API; its wall time from the journal and the time of every activity from Temporal's history. */
async function importMenu(
  { temporal, db }: Product,
  admin: AdminClient,
  mode: string,
  prepare?: () => Promise<void>,
): Promise<{ seconds: number; stages: Stages }> {
  await prepare?.();
  const { runId } = await admin.post<{ runId: number }>('/sync/run', { job: 'MENU', scope: MENU, mode });
  const run = await eventually(
    `run ${runId}`,
    async () => {
      const found = await admin.get<Run>(`/sync/runs/${runId}`);
      return found.status === 'RUNNING' ? undefined : found;
    },
    120_000,
    20,
  );
  if (run.status === 'FAILED') throw new Error(`run ${runId} failed`);
  const [menu] = await db.query<{ id: number; connection_id: number }>(
    'select id, connection_id from mirror_external_menu where erp_id = $1',
    [MENU],
  );
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  const stages: Stages = {};
  const names = new Map<string, { name: string; at: number }>();
  const history = await client.workflow
    .getHandle(importWorkflowId('MENU', menu!.connection_id, menu!.id))
    .fetchHistory();
  for (const event of history.events ?? []) {
    const at = Number(event.eventTime!.seconds) + event.eventTime!.nanos! / 1e9;
    const scheduled = event.activityTaskScheduledEventAttributes;
    const completed = event.activityTaskCompletedEventAttributes;
    if (scheduled != null) names.set(String(event.eventId), { name: scheduled.activityType!.name!, at });
    if (completed != null) {
      const { name, at: begun } = names.get(String(completed.scheduledEventId))!;
      stages[name] = (stages[name] ?? 0) + at - begun;
    }
  }
  await connection.close();
  return { seconds: (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000, stages };
}

/** Forgets everything a menu import wrote, so that the next one starts from an empty mirror. */
async function emptyMirror({ db }: Product): Promise<void> {
  await db.query(`truncate ${[...TABLES, 'mirror_menu_category', 'mirror_product_category'].join(', ')} cascade`);
  await db.query('update mirror_external_menu set revision = null, revision_fingerprint = null');
}

/** COPY of the rows that the import left, into tables of the same columns, constraints and indexes. */
async function plainCopy({ db }: Product): Promise<{ rows: number; seconds: number }> {
  let rows = 0;
  let seconds = 0;
  for (const table of TABLES) {
    await db.query(`drop table if exists bench_${table}`);
    await db.query(`create table bench_${table} (like ${table} including all)`);
    const file = `/tmp/carte-bench-${process.pid}-${table}`;
    await db.query(`copy ${table} to '${file}'`);
    const begun = performance.now();
    await db.query(`copy bench_${table} from '${file}'`);
    seconds += (performance.now() - begun) / 1000;
    rows += (await db.query<{ count: number }>(`select count(*) from bench_${table}`))[0]!.count;
    await db.query(`drop table bench_${table}`);
    await db.query(`copy (select 1) to program 'cat > /dev/null; rm -f ${file}'`);
  }
  return { rows, seconds };
}
