import { loggable, type Log } from '../../../platform/log.ts';
import type { PollResult } from '../messages/polling.ts';
import { menusOfConnection } from '../menu/full-due.ts';
import { pollMenu } from '../menu/poll-menu.ts';
import type { MenuOfConnection } from '../menu/plan-menu-import.ts';
import type { PollDeps, PollOutcome } from '../runs/poll-in-batches.ts';

/** The next poll continues with the remaining menus. */
const MENU_LIMIT_MS = 150_000;
const LIMIT_MS = 8 * 60_000;

/**
 * Polls the menus of a connection one by one, so that only one response is in memory. Skips running
 * imports. Imports menus that time out, to record the failure.
 * @throws the first error if no menu could be polled
 */
export async function pollMenus(
  deps: PollDeps & { log: Log },
  connectionId: number,
  { except, signal }: { except: readonly number[]; signal: AbortSignal },
): Promise<Omit<PollResult, 'circuitRestMs'>> {
  const counts: Record<PollOutcome | 'FAILED', number> = {
    UNCHANGED: 0,
    CHANGED: 0,
    SKIPPED: 0,
    FAILED: 0,
  };

  const imports: { job: 'MENU'; externalMenuId: number }[] = [];
  const failures: unknown[] = [];
  const began = performance.now();
  const menus = await menusOfConnection(deps.db, connectionId);

  for (const externalMenuId of menus.filter((id) => !except.includes(id))) {
    if (performance.now() - began > LIMIT_MS) break;
    try {
      const outcome = await pollInTime(deps, { connectionId, externalMenuId }, signal);
      counts[outcome] += 1;
      if (outcome === 'CHANGED') imports.push({ job: 'MENU', externalMenuId });
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(error);
      counts.FAILED += 1;
      deps.log.warn(
        { error: loggable(error), connectionId, externalMenuId },
        'a menu could not be polled',
      );
    }
  }

  if (
    failures.length > 0 &&
    counts.FAILED === Object.values(counts).reduce((sum, count) => sum + count, 0)
  )
    throw failures[0];

  const words = Object.entries(counts).flatMap(([outcome, count]) =>
    count === 0 ? [] : [`${count} ${outcome.toLowerCase()}`],
  );

  return { text: words.join(', ') || 'no menus', imports };
}

async function pollInTime(
  deps: PollDeps,
  menu: MenuOfConnection,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const limit = AbortSignal.timeout(MENU_LIMIT_MS);
  try {
    return await pollMenu(deps, menu, { signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    if (limit.aborted && !signal.aborted) return 'CHANGED';
    throw error;
  }
}
