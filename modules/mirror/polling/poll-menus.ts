import type { PollResult } from '../messages/polling.ts';
import { pollMenu } from '../menu/poll-menu.ts';
import { menusOfConnection } from '../menu/full-due.ts';
import type { MenuOfConnection } from '../menu/plan-menu-import.ts';
import type { PollDeps, PollOutcome } from '../runs/poll-in-batches.ts';

/** Longest time of one menu, so that the others of its connection are polled too; ms. */
const MENU_LIMIT_MS = 150_000;

/**
 * Polls the menus of a connection one after the other, so that one answer at a time is in memory.
 * A menu that fails or takes too long is imported like one that has changed, and its run records
 * the failure.
 */
export async function pollMenus(
  deps: PollDeps,
  connectionId: number,
  { signal }: { signal: AbortSignal },
): Promise<Omit<PollResult, 'circuitRestMs'>> {
  const counts: Record<PollOutcome, number> = { UNCHANGED: 0, CHANGED: 0, SKIPPED: 0 };
  const imports: { job: 'MENU'; externalMenuId: number }[] = [];
  for (const externalMenuId of await menusOfConnection(deps.db, connectionId)) {
    const outcome = await pollInTime(deps, { connectionId, externalMenuId }, signal);
    counts[outcome] += 1;
    if (outcome === 'CHANGED') imports.push({ job: 'MENU', externalMenuId });
  }
  const words = Object.entries(counts).flatMap(([outcome, count]) =>
    count === 0 ? [] : [`${count} ${outcome.toLowerCase()}`],
  );
  return { text: words.join(', ') || 'no menus', imports };
}

async function pollInTime(deps: PollDeps, menu: MenuOfConnection, signal: AbortSignal): Promise<PollOutcome> {
  const limit = AbortSignal.timeout(MENU_LIMIT_MS);
  try {
    return await pollMenu(deps, menu, { signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    if (limit.aborted && !signal.aborted) return 'CHANGED';
    throw error;
  }
}
