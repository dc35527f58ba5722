import { erpStatusChanged, orderWorkflow, type OrderInput } from './messages/ordering.ts';
import { orderQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import { startOrSignal, startWorkflow, type TemporalDeps, type WorkflowStart } from '../../kernel/start-workflow.ts';

/**
 * An order, the organization that makes it, the rights to gifts that it has reserved, and the cart
 * and discounts that it was made of.
 */
type OrderOf = {
  orderId: string;
  organizationId: number;
  gifts?: string[];
  cartId?: string;
  discountIds?: number[];
};

/** Starts the workflow of an order, or leaves the one at work. */
export function accompanyOrder(deps: TemporalDeps, order: OrderOf): Promise<void> {
  return startWorkflow(deps, orderWorkflow, startOf(deps, order), 'USE_EXISTING');
}

/** Has the workflow of an order ask the ERP; starts it first when none runs. A hint: what the ERP answers decides. */
export function wakeOrder(deps: TemporalDeps, order: OrderOf): Promise<void> {
  return startOrSignal(deps, orderWorkflow, startOf(deps, order), erpStatusChanged);
}

function startOf(
  { queues }: TemporalDeps,
  { orderId, organizationId, gifts, cartId, discountIds = [] }: OrderOf,
): WorkflowStart<OrderInput> {
  return {
    input: { orderId, queues: orderQueues(queues), ...(gifts === undefined ? {} : { gifts }) },
    attributes: searchAttributes({
      CarteCapability: 'ordering',
      CarteOrderId: orderId,
      CarteOrganizationId: String(organizationId),
    }),
    // Read again when the database was restored to a moment before the order (ORD-113).
    memo: {
      orderId,
      organizationId,
      ...(cartId === undefined ? {} : { cartId, gifts: (gifts ?? []).join(' '), discountIds: discountIds.join(' ') }),
    },
  };
}
