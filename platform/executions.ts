import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';

/** Temporal answers within milliseconds or not at all. */
const DEADLINE_MS = 5_000;
const ENDING_POLL_MS = 100;

/**
 * Requests cancellation of running executions; ignores other ids. Times out after 5 s in total.
 * Rethrows Temporal errors.
 */
export async function cancelExecutions(
  temporal: Client,
  workflowIds: readonly string[],
): Promise<void> {
  await temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    for (const id of workflowIds) await orNotFound(temporal.workflow.getHandle(id).cancel());
  });
}

export type FoundExecution = {
  workflowId: string;
  workflowRunId: string;
  memo: Readonly<Record<string, unknown>>;
};

/** Undefined if none is running. Times out after 5 s, rethrows Temporal errors. */
export async function runningExecution(
  temporal: Client,
  workflowId: string,
): Promise<FoundExecution | undefined> {
  const execution = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    orNotFound(temporal.workflow.getHandle(workflowId).describe()),
  );
  if (execution?.status.name !== 'RUNNING') return undefined;
  return { workflowId, workflowRunId: execution.runId, memo: execution.memo ?? {} };
}

/**
 * Requests cancellation; ignores ended executions. Times out after 5 s, rethrows Temporal errors.
 */
export async function cancelExecution(
  temporal: Client,
  { workflowId, workflowRunId }: Omit<FoundExecution, 'memo'>,
): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId, workflowRunId);
  await temporal.withDeadline(Date.now() + DEADLINE_MS, () => orNotFound(handle.cancel()));
}

/** Waits up to `limitMs` for the end, then terminates. Rethrows Temporal errors. */
export async function endExecution(
  temporal: Client,
  { workflowId, workflowRunId }: Omit<FoundExecution, 'memo'>,
  { limitMs, reason }: { limitMs: number; reason: string },
): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId, workflowRunId);
  const deadline = Date.now() + limitMs;

  while (Date.now() < deadline) {
    const execution = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      orNotFound(handle.describe()),
    );
    if (execution?.status.name !== 'RUNNING') return;
    await delay(ENDING_POLL_MS);
  }

  await temporal.withDeadline(Date.now() + DEADLINE_MS, () => orNotFound(handle.terminate(reason)));
}

/** Times out after 5 s, rethrows Temporal errors. */
export async function isExecutionRunning(temporal: Client, workflowId: string): Promise<boolean> {
  const execution = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    orNotFound(temporal.workflow.getHandle(workflowId).describe()),
  );
  return execution?.status.name === 'RUNNING';
}

/** Reads ids from Temporal's index, which lags slightly. Rethrows Temporal errors. */
export async function runningExecutions(
  temporal: Client,
  { type }: { type: string },
): Promise<ReadonlySet<string>> {
  const workflowIds = new Set<string>();
  const query = `WorkflowType = '${type}' and ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal.workflow.list({ query })) workflowIds.add(workflowId);
  return workflowIds;
}

async function orNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return undefined;
    throw error;
  }
}
