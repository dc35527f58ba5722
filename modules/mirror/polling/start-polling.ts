import { searchAttributes } from '../../../kernel/pure/search-attributes.ts';
import { pollQueues } from '../../../kernel/pure/queues.ts';
import { startOrSignal, startWorkflow, type TemporalDeps } from '../../../kernel/start-workflow.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { cancelExecutions, runningExecutions } from '../../../platform/executions.ts';
import { pollingChanged, pollingWorkflow, type PollingInput } from '../messages/polling.ts';
import type { ImportTimings } from '../messages/sync.ts';

export type PollingDeps = TemporalDeps & { db: Sql; timings: ImportTimings };

/** How the loop of a connection is started; it reads everything else from the rows. */
export function pollingStart({ queues, timings }: Pick<PollingDeps, 'queues' | 'timings'>, connectionId: number) {
  const input: PollingInput = { connectionId, timings, queues: pollQueues(queues) };
  return {
    input,
    attributes: searchAttributes({ CarteCapability: 'mirror', CarteConnectionId: connectionId }),
    memo: { connectionId },
    summary: `Polls of connection ${connectionId}: stop-lists, menus and orders`,
  };
}

/**
 * Makes the loop of a connection read its rows again, and starts it when there is none; cancels the
 * loop of a disabled one, with its polls.
 */
export async function wakePolling(deps: PollingDeps, connectionId: number): Promise<void> {
  const enabled = await enabledConnections(deps.db);
  if (enabled.has(connectionId))
    await startOrSignal(deps, pollingWorkflow, pollingStart(deps, connectionId), pollingChanged);
  else await cancelExecutions(deps.temporal, [pollingWorkflow.id({ connectionId })]);
}

/**
 * Starts the loops of enabled connections that have none, and cancels those of others (rule OPS-1).
 * With `isRead` running ones read their rows and the environment again. A second call changes
 * nothing.
 */
export async function reconcilePolling(
  deps: PollingDeps,
  { isRead = false }: { isRead?: boolean } = {},
): Promise<{ started: number; canceled: number }> {
  const enabled = await enabledConnections(deps.db);
  const running = await runningExecutions(deps.temporal, pollingWorkflow);
  let started = 0;
  for (const connectionId of enabled) {
    const isRunning = running.has(pollingWorkflow.id({ connectionId }));
    const start = pollingStart(deps, connectionId);
    // The index of Temporal lags behind; a loop that runs already is left alone.
    if (isRead) await startOrSignal(deps, pollingWorkflow, start, pollingChanged);
    else if (!isRunning) await startWorkflow(deps, pollingWorkflow, start, 'USE_EXISTING');
    started += isRunning ? 0 : 1;
  }
  const wanted = new Set([...enabled].map((connectionId) => pollingWorkflow.id({ connectionId })));
  const superfluous = [...running].filter((id) => !wanted.has(id));
  await cancelExecutions(deps.temporal, superfluous);
  return { started, canceled: superfluous.length };
}

async function enabledConnections({ db }: Sql): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('connection').select('id').where('status', '=', 'ACTIVE').orderBy('id').execute();
  return new Set(rows.map(({ id }) => id));
}
