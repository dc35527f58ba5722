import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';

/** A search attribute of the newest execution of this id; undefined while it has none. */
export async function wordIn(temporal: Client, workflowId: string, attribute: string): Promise<string | undefined> {
  const { typedSearchAttributes } = await temporal.workflow.getHandle(workflowId).describe();
  return typedSearchAttributes.get(defineSearchAttributeKey(attribute, 'KEYWORD'));
}

/** How the newest execution of this id has ended, as operators find it; undefined while it has not. */
export const outcomeIn = (temporal: Client, workflowId: string): Promise<string | undefined> =>
  wordIn(temporal, workflowId, 'CarteOutcome');
