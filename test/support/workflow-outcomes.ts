import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { ImportResult } from '../../modules/mirror/messages/sync.ts';

/** Undefined while the newest execution does not have the attribute. */
export async function wordIn(
  temporal: Client,
  workflowId: string,
  attribute: string,
): Promise<string | undefined> {
  const { typedSearchAttributes } = await temporal.workflow.getHandle(workflowId).describe();
  return typedSearchAttributes.get(defineSearchAttributeKey(attribute, 'KEYWORD'));
}

/** The outcome as operators see it, undefined while the execution runs. */
export const outcomeIn = (temporal: Client, workflowId: string): Promise<string | undefined> =>
  wordIn(temporal, workflowId, 'CarteOutcome');

/** A failed import has its result in the details of its failure. */
export async function importResult(ended: Promise<ImportResult>): Promise<ImportResult> {
  return ended.catch((error: unknown) => {
    const { cause } = error as { cause?: { details?: ImportResult[] } };
    const [result] = cause?.details ?? [];
    if (result === undefined) throw error;
    return result;
  });
}
