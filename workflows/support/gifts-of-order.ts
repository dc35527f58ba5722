import { getExternalWorkflowHandle, log, startChild, workflowInfo } from '@temporalio/workflow';
import { giftSettled, giftRedemptionWorkflow } from '../../modules/gifts/messages/gifts.ts';
import type { OrderInput, OrderNames } from '../../modules/ordering/messages/ordering.ts';
import { executionSummary } from '../../kernel/pure/execution-summary.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import type { giftRedemption } from '../gift-redemption.ts';

/**
 * Has each gift of an order accompanied by a workflow of its own, which outlives that of the order
 * (rule CMP-19). An order without gifts, and one that was accepted before gifts were accompanied,
 * does nothing here. Nothing of it holds the order up or fails it: what is lost here is started
 * again from the rows.
 */
export function giftsOfOrder({ orderId, gifts = [], names }: OrderInput) {
  const isBegunAnew = workflowInfo().continuedFromExecutionRunId !== undefined;
  const started = Promise.all(isBegunAnew ? [] : gifts.map((id) => accompany(orderId, id, names)));
  return {
    /** It is known what became of the order. */
    async settled(): Promise<void> {
      await started;
      await Promise.all(gifts.map((id) => tell(giftRedemptionWorkflow.id({ orderId, compensationId: id }))));
    },
  };
}

async function accompany(orderId: string, compensationId: string, names: OrderNames | undefined): Promise<void> {
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
      memo: { orderId, compensationId, ...(names === undefined ? {} : { orderNumber: number, restaurant, gift }) },
    });
  } catch (error) {
    log.info('a gift is not accompanied from here', { compensationId, error: String(error) });
  }
}

async function tell(workflowId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(giftSettled);
  } catch (error) {
    log.info('a gift was not told that its order is settled', { workflowId, error: String(error) });
  }
}
