import { erpStatusChanged, orderWorkflow, type OrderInput } from './messages/ordering.ts';
import { orderQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import { startOrSignal, startWorkflow, type TemporalDeps, type WorkflowStart } from '../../kernel/start-workflow.ts';

/** An order, the organization that makes it, and the rights to gifts that it has reserved. */
type OrderOf = { orderId: string; organizationId: number; gifts?: string[] };

/** Starts the workflow of an order, or leaves the one at work. */
export function accompanyOrder(deps: TemporalDeps, order: OrderOf): Promise<void> {
  return startWorkflow(deps, orderWorkflow, startOf(deps, order), 'USE_EXISTING');
}

/** Has the workflow of an order ask the ERP; starts it first when none runs. A hint: what the ERP answers decides. */
export function wakeOrder(deps: TemporalDeps, order: OrderOf): Promise<void> {
  return startOrSignal(deps, orderWorkflow, startOf(deps, order), erpStatusChanged);
}

function startOf({ queues }: TemporalDeps, { orderId, organizationId, gifts }: OrderOf): WorkflowStart<OrderInput> {
  return {
    input: { orderId, queues: orderQueues(queues), ...(gifts === undefined ? {} : { gifts }) },
    attributes: searchAttributes({
      CarteCapability: 'ordering',
      CarteOrderId: orderId,
      CarteOrganizationId: String(organizationId),
    }),
    memo: { orderId, organizationId },
  };
}
