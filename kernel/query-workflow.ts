import type { Client } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';

/** Queries an execution. Times out after `limitMs`, rethrows Temporal errors. */
export function queryWorkflow<T>(
  temporal: Client,
  { workflowId, workflowRunId }: { workflowId: string; workflowRunId: string | null },
  query: QueryDefinition<T>,
  limitMs: number,
): Promise<T> {
  const handle = temporal.workflow.getHandle(workflowId, workflowRunId ?? undefined);
  return temporal.withDeadline(Date.now() + limitMs, () => handle.query(query));
}
