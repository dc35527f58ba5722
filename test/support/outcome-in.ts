import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';

/** How the newest execution of this id has ended, as operators find it; undefined while it has not. */
export async function outcomeIn(temporal: Client, workflowId: string): Promise<string | undefined> {
  const { typedSearchAttributes } = await temporal.workflow.getHandle(workflowId).describe();
  return typedSearchAttributes.get(defineSearchAttributeKey('CarteOutcome', 'KEYWORD'));
}
