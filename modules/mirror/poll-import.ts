import { pollStopLists } from './import-stop-lists.ts';
import { pollMenu } from './menu/poll-menu.ts';
import type { ImportTimings } from './messages/sync.ts';
import type { PollDeps, PollOutcome } from './runs/poll-in-batches.ts';
import { startImportWorkflow } from './runs/start-import.ts';
import type { TemporalDeps } from '../../kernel/start-workflow.ts';

export type PollTarget = { connectionId: number; externalMenuId?: number };

/**
 * Polls the ERP, and starts the import under its lock after a change, a failure or an outdated
 * request (OPS-105).
 */
export async function pollImport(
  deps: PollDeps & TemporalDeps & { timings: ImportTimings },
  { connectionId, externalMenuId }: PollTarget,
  options: { signal?: AbortSignal } = {},
): Promise<PollOutcome> {
  const [job, outcome] =
    externalMenuId === undefined
      ? (['STOP_LIST', await pollStopLists(deps, connectionId, options)] as const)
      : (['MENU', await pollMenu(deps, { connectionId, externalMenuId }, options)] as const);
  if (outcome !== 'CHANGED') return outcome;

  const menu = externalMenuId === undefined ? {} : { externalMenuId };
  await startImportWorkflow(deps, {
    job,
    connectionId,
    ...menu,
    trigger: 'SCHEDULE',
    timings: deps.timings,
  });

  return outcome;
}
