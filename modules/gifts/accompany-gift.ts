import { workflowIds } from '../../kernel/pure/ids.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import { startWorkflow, type TemporalDeps } from '../../kernel/start-workflow.ts';
import type { GiftOfOrder } from './look-at-gift.ts';

/** The execution that accompanies a gift of an order. */
export const giftId = ({ orderId, compensationId }: GiftOfOrder): string =>
  workflowIds.giftRedemption(orderId, compensationId);

/** Has a gift accompanied that nobody accompanies any more: the workflow of its order has started one, and it was lost. */
export function accompanyGift(deps: TemporalDeps, { orderId, compensationId }: GiftOfOrder): Promise<void> {
  const start = {
    workflowId: giftId({ orderId, compensationId }),
    args: [{ orderId, compensationId }] as [GiftOfOrder],
    attributes: searchAttributes({ CarteCapability: 'compensation', CarteOrderId: orderId }),
    memo: { orderId, compensationId },
  };
  return startWorkflow(deps, 'giftRedemption', start, 'USE_EXISTING');
}
