import { connectionSyncWorkflow } from '../../modules/mirror/messages/sync.ts';
import { Client, Connection } from '@temporalio/client';
import type { AdminClient } from '../../test/support/admin-client.ts';
import { eventually } from '../../test/support/processes.ts';
import { prepareProduct, type Product } from '../../test/support/product.ts';
import { emptyMirror, importMenu, MENU, peakMiB } from './menu-import.ts';
import { median, type Row } from './report.ts';
import { countRows } from '../../test/support/rows.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2);
const sizes = (text: string) => text.split(',').map(Number);
const ORGANIZATIONS = sizes(process.env['BENCH_ORGANIZATIONS'] ?? '10,25,50,100');
const COPIES = sizes(process.env['BENCH_COPIES'] ?? '1,2,4');
const FEW = 10;
/** Tolerance for noise of a shared machine. */
const SLACK = 1.25;

type Measured = { seconds: number; applySeconds: number; peakMiB: number; prices: number };

/**
 * Measures the full import of 10 to 100 organizations, and of one to four times the menu. Time
 * should grow linearly, and memory should not grow with organizations. `BENCH_ORGANIZATIONS=10,25`
 * and `BENCH_COPIES=1` select sizes.
 */
export async function measureGrowth(): Promise<Row[]> {
  const byOrganizations = await withProduct(
    { organizations: Math.max(...ORGANIZATIONS) },
    async (product, admin) => {
      const measured: Measured[] = [];
      for (const count of ORGANIZATIONS) measured.push(await measure(product, admin, count));
      return measured;
    },
  );

  const bySize: Measured[] = [byOrganizations[0]!];
  for (const copies of COPIES.slice(1))
    bySize.push(await withProduct({ copies }, (product, admin) => measure(product, admin, FEW)));

  return [
    ...buildRows('organizations', ORGANIZATIONS, byOrganizations, true),
    ...buildRows('× the menu', COPIES, bySize, false),
  ];
}

function buildRows(
  what: string,
  sizes: readonly number[],
  measured: readonly Measured[],
  isFlat: boolean,
): Row[] {
  const [first] = measured;
  return sizes.flatMap((size, index) => {
    const { seconds, peakMiB: peak } = measured[index]!;
    const growth = size / sizes[0]!;
    const time = seconds / first!.seconds;
    const memory = peak / first!.peakMiB;

    return [
      {
        what: `${size} ${what}: time`,
        measured: `${seconds.toFixed(2)} s`,
        yardstick: `${growth} × the work`,
        ratio: time,
        bar: `≤ ${growth} × ${SLACK}`,
        reached: time <= growth * SLACK,
      },
      {
        what: `${size} ${what}: peak RSS of an import worker`,
        measured: `${peak} MiB`,
        yardstick: '',
        ratio: memory,
        bar: isFlat ? `≤ ${SLACK}` : '–',
        reached: !isFlat || memory <= SLACK,
      },
    ];
  });
}

/** Starts a product with organizations and menus, without an imported menu. */
async function withProduct<T>(
  growth: { organizations?: number; copies?: number },
  work: (product: Product, admin: AdminClient) => Promise<T>,
): Promise<T> {
  const product = await prepareProduct({
    size: 'demo',
    growth,
    env: { LOG_LEVEL: 'warn', RECONCILE_EVERY: '1h' },
  });

  try {
    const admin = await product.signIn(await product.startApi());
    const franchisee = await admin.post<{ id: number }>('/franchisees', { name: 'Growth' });
    const owner = await admin.post<{ id: number }>('/legal-entities', {
      name: 'Growth',
      franchiseeId: franchisee.id,
    });

    const { apiLogin } = product.emulator;
    const connection = await admin.post<{ id: number }>('/connections', {
      name: 'Growth',
      legalEntityId: owner.id,
      apiLogin,
    });

    await withoutFirstImport(product, connection.id);
    const sync = await product.startWorker({}, 'sync');
    for (const job of ['ORGANIZATIONS', 'MENU_LIST']) await runToItsEnd(admin, job, connection.id);
    await sync.stop();
    await product.startWorker({}, 'order');

    return await work(product, admin);
  } finally {
    await product.stop();
  }
}

/** Prevents the connection's first import, which would import all menus before the measurement. */
async function withoutFirstImport(product: Product, connectionId: number): Promise<void> {
  const { temporal } = product;
  await product.settled();
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection, namespace: temporal.namespace });
  await client.workflow.getHandle(connectionSyncWorkflow.id({ connectionId })).terminate();
  await connection.close();
}

async function runToItsEnd(admin: AdminClient, job: string, connectionId: number): Promise<void> {
  const { runId } = await admin.post<{ runId: number }>('/sync/run', {
    job,
    scope: String(connectionId),
  });

  await eventually(
    job,
    async () => {
      const { status } = await admin.get<{ status: string }>(`/sync/runs/${runId}`);
      if (status === 'FAILED') throw new Error(`${job} failed`);
      return status === 'RUNNING' ? undefined : status;
    },
    60_000,
  );
}

async function measure(
  product: Product,
  admin: AdminClient,
  organizations: number,
): Promise<Measured> {
  await product.db.query(
    `update external_menu_setting set organization_ids = (
       select array_agg(id) from (select id from mirror_organization where inactive_at is null order by id limit $2) as chosen)
      where external_menu_id = (select id from mirror_external_menu where erp_id = $1)`,
    [MENU, organizations],
  );

  const worker = await product.startWorker({}, 'import');
  const runs = [];
  for (let round = 0; round < ROUNDS; round += 1)
    runs.push(await importMenu(product, admin, 'FULL', () => emptyMirror(product)));
  const peak = await peakMiB(worker);
  await worker.stop();
  const count = await countRows(product.db, 'mirror_price');

  return {
    seconds: median(runs.map((run) => run.seconds)),
    applySeconds: median(runs.map((run) => run.stages['applyImport'] ?? Number.NaN)),
    peakMiB: peak,
    prices: count,
  };
}
