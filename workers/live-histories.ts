import { DAY_MS } from '../kernel/pure/time.ts';
import type { Client } from '@temporalio/client';
import type { HistoryAndWorkflowId } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { workflowSinks } from './temporal-workers.ts';

/** An execution that the workflows of this bundle cannot continue. */
export type Refusal = { type: string; workflowId: string; runId: string; why: string };

export type Replayed = {
  /** By type. */
  replayed: Record<string, number>;
  refusals: Refusal[];
};

export type LiveHistories = {
  taskQueues: readonly string[];
  /** Executions of other types are rejected as well. */
  types: readonly string[];
  open: number;
  /**
   * Limit per type of executions that ended within a day. They are included because open executions
   * may not have reached all branches yet.
   */
  ended: number;
};

/**
 * Returns live executions that would stop after a release of this bundle (rule OPS-43). Changes
 * nothing. Rethrows Temporal errors.
 */
export async function replayLive(
  client: Client,
  codePath: string,
  selection: LiveHistories,
): Promise<Replayed> {
  const result: Replayed = {
    replayed: Object.fromEntries(selection.types.map((type) => [type, 0])),
    refusals: [],
  };

  const typeOf = new Map<string, string>();
  const replays = Worker.runReplayHistories(
    { workflowBundle: { codePath }, replayName: 'carte-live', sinks: workflowSinks() },
    histories(client, selection, typeOf),
  );

  for await (const { workflowId, runId, error } of replays) {
    const type = typeOf.get(workflowId) ?? '';
    result.replayed[type] = (result.replayed[type] ?? 0) + 1;
    if (error !== undefined) result.refusals.push({ type, workflowId, runId, why: error.message });
  }

  return result;
}

async function* histories(
  client: Client,
  { taskQueues, types, open, ended }: LiveHistories,
  typeOf: Map<string, string>,
): AsyncGenerator<HistoryAndWorkflowId> {
  const since = new Date(Date.now() - DAY_MS).toISOString();
  const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
  const kinds = [
    ...types.map((type) => [type, `WorkflowType = ${quoted([type])}`] as const),
    ['unknown', `WorkflowType NOT IN (${quoted(types)})`] as const,
  ];

  for (const [type, is] of kinds) {
    const ofType = `TaskQueue IN (${quoted(taskQueues)}) and ${is}`;
    for (const [which, most] of [
      ['ExecutionStatus = "Running"', open],
      // In SQL visibility, running executions have a close time in the far future.
      [`CloseTime > "${since}" and ExecutionStatus != "Running"`, ended],
    ] as const) {
      const executions = client.workflow.list({ query: `${ofType} and ${which}` });
      for await (const fir of first(executions.intoHistories(), most)) {
        typeOf.set(fir.workflowId, type);
        yield fir;
      }
    }
  }
}

async function* first<T>(all: AsyncIterable<T>, most: number): AsyncGenerator<T> {
  let count = 0;
  if (most === 0) return;
  for await (const entry of all) {
    yield entry;
    count += 1;
    if (count === most) return;
  }
}
