import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { seedConnection } from '../packages/demo/seed/seed.ts';
import { prepareProduct, type RunningWorker } from '../test/support/product.ts';
import { megabytes, memoryOf, statusOf, type Memory } from './support/process-memory.ts';
import { emptyMirror, importMenu } from './support/menu-import.ts';
import { median, report, type Row } from './support/report.ts';

// `npm run carte -- bench memory`: resident memory of each process at rest, during and after full
// imports of the menu of recorded size (about 5.4 MB, 10 organizations, into an empty mirror), and
// whether it stays flat. Separate roles are measured first, then one worker with all roles, as
// `npm start` has it. `BENCH_IMPORTS=1000` is the soak; `BENCH_ROLES=all` measures one of them.
const IMPORTS = Number(process.env['BENCH_IMPORTS'] ?? 20);
/** Imports after which code is compiled and caches are filled. */
const WARM_UP = Math.min(5, Math.floor(IMPORTS / 3));
const REST_MS = 5_000;
/** Megabytes that a process may have, by its role. */
const LIMITS: Readonly<Record<string, { atRest?: number; peak?: number }>> = {
  api: { atRest: 220 },
  import: { peak: 256 },
  all: { peak: 350 },
};
/** Roles that run at the same time. */
const TOGETHER = [['order', 'import', 'build'], ['all']] as const;
/** Room for noise between the first and the last third of the imports. */
const SLACK = 1.1;

const product = await prepareProduct({ size: 'demo', env: { LOG_LEVEL: 'warn', RECONCILE_EVERY: '1h' } });
try {
  const seeding = await product.startWorker({}, 'sync');
  const api = await product.startApi();
  await seedConnection({
    baseUrl: api.url,
    email: product.administrator.email,
    password: product.administrator.password,
    apiLogin: product.emulator.apiLogin,
    log: (line: string) => console.log(line),
  });
  await seeding.stop();
  await api.stop();

  const wanted = process.env['BENCH_ROLES'];
  const measured = [];
  for (const roles of TOGETHER)
    if (wanted === undefined || wanted.split(',').some((role) => roles.some((name) => name === role)))
      measured.push(await measure(roles));
  await report(
    'memory',
    measured.flatMap(({ rows }) => rows),
    { imports: IMPORTS, measured: measured.map(({ raw }) => raw) },
  );
} finally {
  await product.stop();
}

/** Starts an API and workers of the roles, and measures them before, during and after imports. */
async function measure(roles: readonly string[]): Promise<{ rows: Row[]; raw: object }> {
  const api = await product.startApi();
  const processes: Record<string, RunningWorker> = { api };
  for (const role of roles) processes[role] = await product.startWorker({}, role);
  const staff = await product.signIn(api);
  const all = <T>(read: (process: RunningWorker) => Promise<T>): Promise<Record<string, T>> =>
    recordOf(processes, read);

  await product.settled();
  await delay(REST_MS);
  const atRest = await all(memoryOf);
  await Promise.all(Object.values(processes).map(resetPeak));
  const afterEach: Record<string, Memory>[] = [];
  for (let round = 0; round < IMPORTS; round += 1) {
    // Builds of the former import read what is emptied.
    await product.settled();
    await importMenu(product, staff, 'FULL', () => emptyMirror(product));
    afterEach.push(await all(memoryOf));
  }
  const peak = await all(peakOf);
  await delay(REST_MS);
  const after = await all(memoryOf);
  const heaps = await all(heapOf);
  await Promise.all(Object.values(processes).map((process) => process.stop()));

  const rows = Object.keys(processes).flatMap((name): Row[] => {
    const { atRest: mostAtRest, peak: mostAtPeak } = LIMITS[name] ?? {};
    const { rss, anonymous, file } = atRest[name]!;
    const steady = afterEach.slice(WARM_UP).map((entry) => entry[name]!.rss);
    const third = Math.ceil(steady.length / 3);
    const growth = median(steady.slice(-third)) / median(steady.slice(0, third));
    return [
      row(`${name}: at rest`, `${rss} MB (${anonymous} own, ${file} of files)`, rss, mostAtRest),
      row(`${name}: peak of ${IMPORTS} imports`, `${peak[name]} MB`, peak[name]!, mostAtPeak),
      row(`${name}: after them`, `${after[name]!.rss} MB; ${heaps[name]}`, after[name]!.rss, undefined),
      {
        what: `${name}: last third of the imports / first third`,
        measured: growth.toFixed(2),
        yardstick: '',
        ratio: growth,
        bar: `≤ ${SLACK}`,
        reached: growth <= SLACK,
      },
    ];
  });
  return { rows, raw: { atRest, peak, after, heaps, afterEach } };
}

function row(what: string, measured: string, megabytes: number, limit: number | undefined): Row {
  const bar = limit === undefined ? '–' : `≤ ${limit} MB`;
  return { what, measured, yardstick: '', ratio: null, bar, reached: limit === undefined || megabytes <= limit };
}

async function recordOf<T>(
  processes: Readonly<Record<string, RunningWorker>>,
  read: (process: RunningWorker) => Promise<T>,
): Promise<Record<string, T>> {
  const entries = Object.entries(processes).map(async ([name, process]) => [name, await read(process)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function peakOf(process: RunningWorker): Promise<number> {
  return megabytes(await statusOf(process), 'VmHWM');
}

/** Makes the kernel measure the peak again. */
function resetPeak({ child }: RunningWorker): Promise<void> {
  return writeFile(`/proc/${child.pid}/clear_refs`, '5');
}

/** Returns the parts of the memory as the metrics of the process report them. */
async function heapOf({ opsUrl }: RunningWorker): Promise<string> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const part = (name: string) =>
    Math.round(Number(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+]+)$`, 'm').exec(metrics)?.[1]) / 1e6);
  const [used, total, external] = ['heap_size_used', 'heap_size_total', 'external_memory'].map((text) =>
    part(`nodejs_${text}_bytes`),
  );
  return `heap ${used} of ${total} MB, buffers ${external} MB`;
}
