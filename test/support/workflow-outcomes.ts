import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { ImportResult } from '../../modules/mirror/messages/sync.ts';

/** Returns a search attribute of the newest execution of this id, undefined while it has none. */
export async function wordIn(
  temporal: Client,
  workflowId: string,
  attribute: string,
): Promise<string | undefined> {
  const { typedSearchAttributes } = await temporal.workflow.getHandle(workflowId).describe();
  return typedSearchAttributes.get(defineSearchAttributeKey(attribute, 'KEYWORD'));
}

/** Returns the outcome of the newest execution as operators see it, undefined while it runs. */
export const outcomeIn = (temporal: Client, workflowId: string): Promise<string | undefined> =>
  wordIn(temporal, workflowId, 'CarteOutcome');

/** Returns the result of an import. A failed import has it in the details of its failure. */
export async function importResult(ended: Promise<ImportResult>): Promise<ImportResult> {
  return ended.catch((error: unknown) => {
    const { cause } = error as { cause?: { details?: ImportResult[] } };
    const [result] = cause?.details ?? [];
    if (result === undefined) throw error;
    return result;
  });
}
