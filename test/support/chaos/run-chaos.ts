import { setTimeout as delay } from 'node:timers/promises';
import { adminClient } from '../admin-client.ts';
import { compareMenu, type PublicMenu, type Truth } from '../compare-menu.ts';
import { startEntry } from '../processes.ts';
import type { Product } from '../product.ts';
import { NO_TIMER, QUIET_SCHEDULES } from '../quiet-schedules.ts';
import { agreement, rest } from './agreement.ts';
import { leftBehind, mirrorDifferences, staleMenus } from './aftermath.ts';
import { startChangeStream, type ChangeStream } from './change-stream.ts';
import { createDice } from './dice.ts';
import type { Part } from './supervise.ts';
import { startSteppedClock, type SteppedClock } from './stepped-clock.ts';
import { startWatch, type Watch } from './watch.ts';
import { killEverything, type ChaosProduct, type Kills } from './fixture.ts';

export type ChaosReport = {
  seed: number;
  seconds: { chaos: number; convergence: number; rest: number };
  parts: Record<string, Part['counts']>;
  /** Cuts of connections. `clockSteps` is null if the worker's clock cannot be stepped. */
  cuts: Record<string, { cuts: number; connectionsLost: number }>;
  clockSteps: number | null;
  changes: ChangeStream['done'];
  refusedChanges: ChangeStream['refused'];
  runs: Record<string, number>;
  watch: Pick<Watch, 'seen' | 'longestPauseMs' | 'longestIdleMs'>;
  problems: string[];
  differences: string[];
  staleMenus: string[];
  lostEdits: string[];
  left: Record<string, number | string>;
};

/** Short intervals, so that faults hit between two runs. */
const BUSY = {
  SYNC_MENU_EVERY: '3s',
  SYNC_STOP_LIST_EVERY: '2s',
  SYNC_LISTS_EVERY: '20s',
  ORDER_WATCH_EVERY: '5s',
  SYNC_HEARTBEAT: '2s',
  TEMPORAL_STICKY_TIMEOUT: '1s',
  RECONCILE_EVERY: '3s',
};
const IMPATIENT = {
  ERP_CONNECT_TIMEOUT: '1s',
  ERP_READ_TIMEOUT: '2s',
  ERP_MENU_READ_TIMEOUT: '5s',
  DATABASE_STATEMENT_TIMEOUT: '3s',
};
/** Seconds. */
const CLOCK_STEPS = [-10, 10] as const;

/**
 * Disables schedules, so that leftovers stay visible. The sweep remains, because it delivers events
 * of killed processes.
 */
const QUIET = {
  ...BUSY,
  ...QUIET_SCHEDULES,
  RECONCILE_EVERY: NO_TIMER,
  SYNC_HEARTBEAT: '2s',
  TEMPORAL_STICKY_TIMEOUT: '1s',
};

/**
 * Changes data while killing parts, cutting networks and stepping the worker's clock. Then waits
 * for convergence and checks the result.
 */
export async function runChaos(
  fixture: ChaosProduct,
  options: Kills & { seed: number },
): Promise<ChaosReport> {
  const { seed, log } = options;
  const { product, apiUrl, api, client: temporal } = fixture;
  const dice = createDice(seed);
  const clock = await startSteppedClock(log);
  let extra: NodeJS.ProcessEnv = { ...BUSY, ...IMPATIENT, ...clock?.env };
  const worker = fixture.superviseWorker('worker', () => extra);
  const parts = [worker, api, fixture.postgres, fixture.temporal];
  try {
    await Promise.all([api.up(), worker.up()]);
    await fixture.seeded();
    const { menus } = await product.emulator.control<{
      menus: { id: string; organizationIds: string[] }[];
    }>('state');
    const { id: menuId, organizationIds } = menus[0]!;
    await product.emulator.control('reprice', { menuId, price: 100 });
    await product.emulator.control('webhook', {
      url: `${apiUrl}/api/webhooks/erp`,
      token: product.env['WEBHOOK_SECRET'],
    });
    const truths = () =>
      Promise.all(
        organizationIds.map((text) =>
          product.emulator.control<Truth>(`truth?menuId=${menuId}&organizationId=${text}`),
        ),
      );
    const differences = () => compareAll(product, apiUrl, organizationIds, truths);
    await agreement('the first menus are public', differences);
    log(`ready, seed ${seed}`);

    const startedAt = Date.now();
    const stream = await startChangeStream({
      product,
      apiUrl,
      menuId,
      organizationIds,
      dice: createDice(seed + 1),
      pauseMs: [100, 500],
    });
    const watch = startWatch({
      apiUrl,
      organizationIds,
      leavers: stream.leavers,
      db: product.db,
      isComplete: () => parts.every((part) => part.isUp()),
    });
    await Promise.all([
      killEverything(options, dice, parts),
      disturb(fixture, clock, { ...options, seed: seed + 2 }),
    ]);
    for (const part of parts) await part.up();
    await stream.stop();
    const stoppedAt = Date.now();
    log(
      `${parts.map(({ name, counts }) => `${counts.kills} × ${name}`).join(', ')} killed; waiting for agreement`,
    );
    // The dishes return first, because only a full import deletes dishes.
    await product.emulator.control('return', { menuId });
    const remaining = await agreement('menus and mirror agree with the ERP', differences);
    const agreedAt = Date.now();
    await watch.stop();

    extra = QUIET;
    await worker.stop();
    const quietWorker = fixture.superviseWorker('quiet worker', () => QUIET);
    await quietWorker.up();
    await startEntry('schedules:apply', 'workers/schedules-apply.ts', [], {
      ...product.env,
      ...QUIET,
    }).exited;
    const left = await rest(() => leftBehind(product.db, temporal));
    const report: ChaosReport = {
      seed,
      seconds: {
        chaos: seconds(startedAt, stoppedAt),
        convergence: seconds(stoppedAt, agreedAt),
        rest: seconds(agreedAt, Date.now()),
      },
      parts: Object.fromEntries(parts.map(({ name, counts }) => [name, counts])),
      cuts: { database: fixture.ways.database.counts, erp: fixture.ways.erp.counts },
      clockSteps: clock?.counts.steps ?? null,
      changes: stream.done,
      refusedChanges: stream.refused,
      runs: await runCounts(product),
      watch: {
        seen: watch.seen,
        longestPauseMs: watch.longestPauseMs,
        longestIdleMs: watch.longestIdleMs,
      },
      problems: watch.problems,
      differences: remaining,
      staleMenus: await staleMenus(product.db),
      lostEdits: await lostEdits(product, apiUrl, stream),
      left,
    };
    await quietWorker.stop();
    return report;
  } finally {
    await worker.stop();
  }
}

async function disturb(
  { ways }: ChaosProduct,
  clock: SteppedClock | undefined,
  { seed, killsEach, pauseMs }: Kills & { seed: number },
): Promise<void> {
  const dice = createDice(seed);
  const disturbances = [
    () => ways.database.cut(dice.between(200, 800)),
    () => ways.erp.cut(dice.between(200, 800)),
    ...CLOCK_STEPS.map((seconds) => async () => clock?.stepTo(seconds)),
  ];
  const order = dice.shuffled(
    disturbances.flatMap((disturbance) => Array.from({ length: killsEach }, () => disturbance)),
  );
  for (const disturbance of order) {
    await delay(dice.between(...pauseMs));
    await disturbance();
  }
}

async function compareAll(
  product: Product,
  apiUrl: string,
  organizationIds: readonly string[],
  truths: () => Promise<Truth[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const [at, truth] of (await truths()).entries()) {
    const organizationId = organizationIds[at]!;
    found.push(...(await mirrorDifferences(product.db, truth, organizationId)));
    const menu = await fetch(`${apiUrl}/api/v1/menu?organization_id=${organizationId}`);
    found.push(...compareMenu((await menu.json()) as PublicMenu, [truth], []));
  }
  return found;
}

async function lostEdits(
  product: Product,
  apiUrl: string,
  { expected }: ChangeStream,
): Promise<string[]> {
  const { email, password } = product.administrator;
  const admin = await adminClient(apiUrl, email, password);
  const lost: string[] = [];
  for (const [id, wanted] of expected) {
    const found = await admin.get<{ name: string; status: string }>(`/products/${id}`);
    if (wanted.name !== undefined && wanted.name !== found.name)
      lost.push(`product ${id} is called ${found.name}, not ${wanted.name}`);
    if (wanted.status !== undefined && wanted.status !== found.status)
      lost.push(`product ${id} is ${found.status}, not ${wanted.status}`);
  }
  return lost;
}

async function runCounts({ db }: Product): Promise<Record<string, number>> {
  const rows = await db.query<{ what: string; count: number }>(
    `select concat_ws(' ', job, status, reason) as what, count(*)::int as count from sync_run group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

const seconds = (from: number, to: number): number => Math.round((to - from) / 1000);
