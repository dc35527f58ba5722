import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { orderWorkflow } from '../messages/ordering.ts';

/** Some ids are null for executions of an earlier release. */
export type OrderWitness = {
  orderId: string;
  organizationId: number;
  cartId: string | null;
  gifts: readonly string[] | null;
  discountIds: readonly number[] | null;
  startedAt: Date;
  /** Result of a completed execution, such as `CANCELLED WITHDRAWN`. */
  outcome: string | null;
};

const OUTCOME = defineSearchAttributeKey('CarteOutcome', 'KEYWORD');

/** Reads each order's first execution, because only it has all ids. */
export async function orderWitnesses(
  temporal: Client,
  since: Date,
): Promise<Map<string, OrderWitness>> {
  const witnesses = new Map<string, OrderWitness>();
  const at = since.toISOString();
  const query = `WorkflowType = '${orderWorkflow.type}' and (StartTime >= '${at}' or CloseTime >= '${at}')`;

  for await (const {
    memo = {},
    startTime,
    status,
    typedSearchAttributes,
  } of temporal.workflow.list({ query })) {
    const { orderId, organizationId, cartId } = memo;
    if (typeof orderId !== 'string' || typeof organizationId !== 'number') continue;
    const earlier = witnesses.get(orderId);
    const outcome =
      status.name === 'COMPLETED' ? (typedSearchAttributes.get(OUTCOME) ?? null) : null;
    const witness = {
      orderId,
      organizationId,
      cartId: typeof cartId === 'string' ? cartId : null,
      gifts: splitWords(memo['gifts']),
      discountIds: splitWords(memo['discountIds'])?.map(Number) ?? null,
      startedAt: startTime,
      outcome: outcome ?? earlier?.outcome ?? null,
    };

    if (earlier === undefined || earlier.cartId === null) witnesses.set(orderId, witness);
    else if (outcome !== null) witnesses.set(orderId, { ...earlier, outcome });
  }

  return witnesses;
}

const splitWords = (text: unknown): string[] | null =>
  typeof text === 'string' ? text.split(' ').filter((word) => word !== '') : null;

/**
 * Terminates all executions (rule OPS-98). Row ids repeat after a restoration, so executions could
 * change other rows. Work restarts from the rows.
 */
export async function terminateExecutions(temporal: Client): Promise<number> {
  let terminated = 0;

  for await (const { workflowId, runId } of temporal.workflow.list({
    query: `ExecutionStatus = 'Running'`,
  })) {
    try {
      await temporal.workflow.getHandle(workflowId, runId).terminate('The database was restored.');
      terminated += 1;
    } catch (error) {
      // Ended meanwhile.
      if (!(error instanceof Error && error.name === 'WorkflowNotFoundError')) throw error;
    }
  }

  return terminated;
}
