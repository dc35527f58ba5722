import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import { pollQueues } from '../../../kernel/pure/queues.ts';
import { startOrSignal, startWorkflow, type TemporalDeps } from '../../../kernel/start-workflow.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { cancelExecutions, runningExecutions } from '../../../platform/executions.ts';
import { pollingChanged, pollingWorkflow, type PollingInput } from '../messages/polling.ts';
import { connectionsWithRestedCircuits } from '../../connections/erp-calls/watch-circuits.ts';

export type PollingDeps = TemporalDeps & { db: Sql };

/** The loop reads everything else from rows. */
export function pollingStart({ queues }: Pick<PollingDeps, 'queues'>, connectionId: number) {
  const input: PollingInput = { connectionId, queues: pollQueues(queues) };
  return {
    input,
    attributes: searchAttributes({ CarteCapability: 'mirror', CarteConnectionId: connectionId }),
    memo: { connectionId },
    summary: `Polls of connection ${connectionId}: stop-lists, menus and orders`,
  };
}

/** Starts the loop of a connection, or makes it read its rows again. */
export async function wakePolling(deps: PollingDeps, connectionId: number): Promise<void> {
  await startOrSignal(deps, pollingWorkflow, pollingStart(deps, connectionId), pollingChanged);
}

/**
 * Starts missing loops of enabled connections and cancels others (OPS-1). With `isRead`, running
 * loops read rows and environment again; loops whose circuit may be probed always do. Idempotent.
 */
export async function reconcilePolling(
  deps: PollingDeps,
  { isRead = false }: { isRead?: boolean } = {},
): Promise<{ started: number; canceled: number }> {
  // Executions are read before rows, so that a loop just started for a new row is not canceled.
  const running = await runningExecutions(deps.temporal, pollingWorkflow);
  const enabled = await enabledConnections(deps.db);
  const rested = await connectionsWithRestedCircuits(deps.db);
  let started = 0;

  for (const connectionId of enabled) {
    const isRunning = running.has(pollingWorkflow.id({ connectionId }));
    const start = pollingStart(deps, connectionId);
    // Temporal's index lags: a loop may already run.
    if (isRead || rested.has(connectionId))
      await startOrSignal(deps, pollingWorkflow, start, pollingChanged);
    else if (!isRunning) await startWorkflow(deps, pollingWorkflow, start, 'USE_EXISTING');
    started += isRunning ? 0 : 1;
  }

  const workflowIds = new Set(
    [...enabled].map((connectionId) => pollingWorkflow.id({ connectionId })),
  );
  const superfluous = [...running].filter((id) => !workflowIds.has(id));
  await cancelExecutions(deps.temporal, superfluous);

  return { started, canceled: superfluous.length };
}

async function enabledConnections({ db }: Sql): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('connection')
    .select('id')
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .execute();

  return new Set(rows.map(({ id }) => id));
}
