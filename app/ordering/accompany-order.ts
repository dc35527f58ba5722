import { workflowIds } from '../../contracts/ids.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import { startWorkflow, type TemporalDeps, type WorkflowStart } from '../../platform/start-workflow.ts';

/** An order and the organization that makes it. */
type OrderOf = { orderId: string; organizationId: number };

/** Starts the workflow of an order, or leaves the one at work. */
export function accompanyOrder(deps: TemporalDeps, order: OrderOf): Promise<void> {
  return startWorkflow(deps, 'order', startOf(deps, order), 'USE_EXISTING');
}

function startOf({ queues }: TemporalDeps, { orderId, organizationId }: OrderOf): WorkflowStart<'order'> {
  return {
    workflowId: workflowIds.order(orderId),
    args: [{ orderId, queues: { order: queues.order } }],
    attributes: searchAttributes({
      CarteCapability: 'ordering',
      CarteOrderId: orderId,
      CarteOrganizationId: String(organizationId),
    }),
    memo: { orderId, organizationId },
  };
}
