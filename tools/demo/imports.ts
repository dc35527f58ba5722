import { setTimeout as delay } from 'node:timers/promises';
import type { AdminApi, Page } from './admin-api.ts';

type Run = {
  id: number;
  job: string;
  connectionId: number;
  externalMenuId: string | null;
  status: 'RUNNING' | 'SUCCESS' | 'SKIPPED' | 'FAILED';
  reason: string | null;
  items: { created: number; updated: number; deleted: number };
};

/** In the order in which a connection runs them; the last one ends when all menus are there. */
const JOBS = ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'MENU', 'STOP_LIST'] as const;
const POLL_MS = 300;
const PATIENCE_MS = 180_000;

/**
 * Waits until the first imports of a connection are through: every job has succeeded, MENU for every external menu it
 * has run for. One line of progress per finished run. Throws after three minutes with what is missing.
 */
export async function firstImports(api: AdminApi, connectionId: number, log: (line: string) => void): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const told = new Set<number>();
  for (;;) {
    const runs = await runsOf(api, connectionId);
    for (const run of runs.toReversed()) {
      if (run.status === 'RUNNING' || told.has(run.id)) continue;
      told.add(run.id);
      log(describe(run));
    }
    const missing = missingJobs(runs);
    if (missing.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(`The imports did not finish within ${PATIENCE_MS / 1000} s; missing: ${missing.join(', ')}`);
    await delay(POLL_MS);
  }
}

/** The runs of a connection, newest first, of each job so many that the frequent ones hide nothing. */
async function runsOf(api: AdminApi, connectionId: number): Promise<Run[]> {
  const pages = await Promise.all(JOBS.map((job) => api.get<Page<Run>>(`/sync/runs?job=${job}&size=50`)));
  return pages
    .flatMap((page) => page.items)
    .filter((run) => run.connectionId === connectionId)
    .toSorted((one, other) => other.id - one.id);
}

function missingJobs(runs: readonly Run[]): string[] {
  const succeeded = (run: Run) => run.status === 'SUCCESS' || run.status === 'SKIPPED';
  const done = new Set(runs.filter(succeeded).map(scope));
  const wanted = new Set([...JOBS.filter((job) => job !== 'MENU'), ...runs.filter(isMenu).map(scope)]);
  // Before its first run no menu is known, and stop-lists come after the menus.
  return [...wanted].filter((each) => !done.has(each)).concat(runs.some(isMenu) ? [] : ['MENU']);
}

const isMenu = (run: Run) => run.job === 'MENU';
const scope = (run: Run) => (isMenu(run) ? `MENU ${run.externalMenuId ?? ''}` : run.job);

function describe(run: Run): string {
  const outcome = run.status === 'FAILED' ? `failed: ${run.reason ?? 'unknown'}` : run.status.toLowerCase();
  const created = isMenu(run) && run.items.created > 0 ? `, ${run.items.created} new items` : '';
  return `import ${scope(run)}: ${outcome}${created}`;
}
