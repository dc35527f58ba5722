import { setTimeout as delay } from 'node:timers/promises';
import { AdminApiError, type AdminApi, type Page } from './admin-api.ts';

type Run = {
  id: number;
  job: string;
  connectionId: number;
  externalMenuErpId: string | null;
  status: 'RUNNING' | 'SUCCESS' | 'SKIPPED' | 'FAILED';
  reason: string | null;
  items: { created: number; updated: number; deleted: number };
};

type ExternalMenu = {
  erpId: string;
  name: string;
  isActive: boolean;
  isEnabled: boolean;
  importedAt: string | null;
};

/** Jobs that run once for a connection. Menus are requested one by one. */
const JOBS = ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'STOP_LIST', 'ZONES'] as const;
/** Each round sends two requests, and the product allows a user ten per second. */
const POLL_MS = 500;
const PATIENCE_MS = 180_000;

/**
 * Waits until every job has ended without a failure and every enabled external menu is imported.
 * Throws after three minutes with what is missing.
 */
export async function firstImports(
  api: AdminApi,
  connection: { id: number; isNew: boolean },
  log: (line: string) => void,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const done = new Set(connection.isNew ? [] : await succeededBefore(api, connection.id));
  const told = new Set<number>();
  const missing = async () => [
    ...JOBS.filter((job) => !done.has(job)),
    ...(await missingMenus(api, connection.id)),
  ];

  // The first imports of the connection are over. Jobs that still lack a run were added by an
  // update of the product, and their schedule may be an hour away.
  if (done.has('STOP_LIST'))
    for (const job of JOBS.filter((entry) => !done.has(entry))) await ask(api, job, connection.id);
  let wanted = await missing();

  while (wanted.length > 0) {
    if (performance.now() > deadline)
      throw new Error(
        `The imports did not finish within ${PATIENCE_MS / 1000} s; missing: ${wanted.join(', ')}`,
      );

    const ended = (await latestRuns(api, connection.id)).filter(
      (run) => run.status !== 'RUNNING' && !told.has(run.id),
    );

    for (const run of ended) {
      told.add(run.id);
      log(describe(run));
      if (run.status !== 'FAILED') done.add(run.job);
    }

    if (ended.length === 0) await delay(POLL_MS);
    wanted = await missing();
  }
}

/** Newer runs of frequent jobs may fill the first page of all runs. */
async function succeededBefore(api: AdminApi, connectionId: number): Promise<string[]> {
  const pages = await Promise.all(
    JOBS.map((job) => api.get<Page<Run>>(`/sync/runs?job=${job}&status=SUCCESS&size=20`)),
  );
  return pages.flatMap((page) =>
    page.items.filter((run) => run.connectionId === connectionId).map((run) => run.job),
  );
}

/** Starts an import unless it is running. */
async function ask(api: AdminApi, job: (typeof JOBS)[number], connectionId: number): Promise<void> {
  try {
    await api.post('/sync/run', { job, scope: String(connectionId) });
  } catch (error) {
    if (!(error instanceof AdminApiError && error.kind === 'already-running')) throw error;
  }
}

async function latestRuns(api: AdminApi, connectionId: number): Promise<Run[]> {
  const { items } = await api.get<Page<Run>>('/sync/runs?size=50');
  return items.filter((run) => run.connectionId === connectionId).toReversed();
}

async function missingMenus(api: AdminApi, connectionId: number): Promise<string[]> {
  const menus = await api.all<ExternalMenu>(`/external-menus?connection_id=${connectionId}`);
  return menus
    .filter((menu) => menu.isActive && menu.isEnabled && menu.importedAt === null)
    .map((menu) => `MENU ${menu.erpId}`);
}

function describe(run: Run): string {
  const scope = run.externalMenuErpId === null ? run.job : `${run.job} ${run.externalMenuErpId}`;
  const outcome =
    run.status === 'FAILED' ? `failed: ${run.reason ?? 'unknown'}` : run.status.toLowerCase();
  const created = run.items.created > 0 ? `, ${run.items.created} new items` : '';
  return `import ${scope}: ${outcome}${created}`;
}
