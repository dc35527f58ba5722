import { getExternalWorkflowHandle, log, startChild, workflowInfo } from '@temporalio/workflow';
import { giftSettled, giftRedemptionWorkflow } from '../../modules/gifts/messages/gifts.ts';
import type { OrderInput, OrderNames } from '../../modules/ordering/messages/ordering.ts';
import { executionSummary } from '../../kernel/pure/execution-summary.ts';
import { searchAttributes } from '../../platform/pure/search-attributes.ts';
import type { giftRedemption } from '../gift-redemption.ts';

/**
 * Starts and notifies the workflows of an order's gifts, which outlive the order's own (CMP-19).
 * Orders from before these workflows have none. Failures never affect the order, because lost
 * workflows are restarted from rows.
 */
export function giftsOfOrder({ orderId, gifts = [], names }: OrderInput) {
  const isBegunAnew = workflowInfo().continuedFromExecutionRunId !== undefined;
  const started = Promise.all(isBegunAnew ? [] : gifts.map((id) => accompany(orderId, id, names)));

  return {
    /** Call it when the outcome of the order is final. */
    async settled(): Promise<void> {
      await started;
      await Promise.all(
        gifts.map((id) => tell(giftRedemptionWorkflow.id({ orderId, compensationId: id }))),
      );
    },
  };
}

async function accompany(
  orderId: string,
  compensationId: string,
  names: OrderNames | undefined,
): Promise<void> {
  const { number, restaurant, gifts } = names ?? {};
  const gift = gifts?.[compensationId];

  try {
    await startChild<typeof giftRedemption>('giftRedemption', {
      workflowId: giftRedemptionWorkflow.id({ orderId, compensationId }),
      args: [{ orderId, compensationId }],
      parentClosePolicy: 'ABANDON',
      staticSummary: executionSummary(gift ?? 'Gift', `order ${number ?? orderId}`, restaurant),
      typedSearchAttributes: searchAttributes({
        CarteCapability: 'compensation',
        CarteOrderId: orderId,
        CarteOrderNumber: number,
      }),
      memo: {
        orderId,
        compensationId,
        ...(names === undefined ? {} : { orderNumber: number, restaurant, gift }),
      },
    });
  } catch (error) {
    log.info('the workflow of a gift could not be started', {
      compensationId,
      error: String(error),
    });
  }
}

async function tell(workflowId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(giftSettled);
  } catch (error) {
    log.info('the workflow of a gift was not notified of the end of its order', {
      workflowId,
      error: String(error),
    });
  }
}
