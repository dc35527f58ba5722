import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import { pollQueues } from '../../../kernel/pure/queues.ts';
import { startOrSignal, startWorkflow, type TemporalDeps } from '../../../kernel/start-workflow.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { cancelExecutions, runningExecutions } from '../../../platform/executions.ts';
import { pollingChanged, pollingWorkflow, type PollingInput } from '../messages/polling.ts';
import { connectionsWithRestedCircuits } from '../../connections/erp-calls/watch-circuits.ts';

export type PollingDeps = TemporalDeps & { db: Sql };

/** Returns the start of the loop of a connection, which reads everything else from the rows. */
export function pollingStart({ queues }: Pick<PollingDeps, 'queues'>, connectionId: number) {
  const input: PollingInput = { connectionId, queues: pollQueues(queues) };
  return {
    input,
    attributes: searchAttributes({ CarteCapability: 'mirror', CarteConnectionId: connectionId }),
    memo: { connectionId },
    summary: `Polls of connection ${connectionId}: stop-lists, menus and orders`,
  };
}

/**
 * Makes the loop of a connection read its rows again, and starts it when there is none. The loop of
 * a disabled connection reads that it is, and ends.
 */
export async function wakePolling(deps: PollingDeps, connectionId: number): Promise<void> {
  await startOrSignal(deps, pollingWorkflow, pollingStart(deps, connectionId), pollingChanged);
}

/**
 * Starts the loops of enabled connections that have none, and cancels those of others (rule OPS-1).
 * With `isRead` running ones read their rows and the environment again, and so does each one with a
 * circuit to probe. A second call changes nothing.
 */
export async function reconcilePolling(
  deps: PollingDeps,
  { isRead = false }: { isRead?: boolean } = {},
): Promise<{ started: number; canceled: number }> {
  // The list before the rows: a loop that was just started for a new row is never superfluous.
  const running = await runningExecutions(deps.temporal, pollingWorkflow);
  const enabled = await enabledConnections(deps.db);
  const rested = await connectionsWithRestedCircuits(deps.db);
  let started = 0;
  for (const connectionId of enabled) {
    const isRunning = running.has(pollingWorkflow.id({ connectionId }));
    const start = pollingStart(deps, connectionId);
    // The index of Temporal lags behind; a loop that runs already is left alone.
    if (isRead || rested.has(connectionId)) await startOrSignal(deps, pollingWorkflow, start, pollingChanged);
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
