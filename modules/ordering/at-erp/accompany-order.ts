import {
  erpStatusChanged,
  orderWorkflow,
  type OrderInput,
  type OrderNames,
  type OrderStanding,
} from '../messages/ordering.ts';
import { executionSummary } from '../../../kernel/pure/execution-summary.ts';
import { orderQueues } from '../../../kernel/pure/queues.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import {
  startOrSignal,
  startOrUpdate,
  startWorkflow,
  type TemporalDeps,
  type UpdateRequest,
  type WorkflowStart,
} from '../../../kernel/start-workflow.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { Problem } from '../../../kernel/problem.ts';
import { findOrder } from '../orders/order-row.ts';
import { NO_ORDER } from '../orders/order-view.ts';
import { giftNames } from '../../gifts/rights/read-rights.ts';

type OrderOf = {
  orderId: string;
  organizationId: number;
  gifts?: string[];
  cartId?: string;
  discountIds?: number[];
};

type Deps = TemporalDeps & { db: Sql };

/** Starts the workflow of an order unless it is running. */
export async function accompanyOrder(deps: Deps, order: OrderOf): Promise<void> {
  return startWorkflow(deps, orderWorkflow, await buildStart(deps, order), 'USE_EXISTING');
}

/**
 * Starts the workflow of an order that is sent again. Replaces an execution that is closing the
 * failed order, because it would not send it.
 */
export async function accompanyAgain(deps: Deps, order: OrderOf): Promise<void> {
  const { state } = await findOrder(deps.db, order.orderId);
  const conflict = state === 'ACCEPTED' ? 'TERMINATE_EXISTING' : 'USE_EXISTING';
  return startWorkflow(deps, orderWorkflow, await buildStart(deps, order), conflict);
}

/** Signals or starts the workflow, which reads the ERP if `standing` is missing. */
export async function wakeOrder(
  deps: Deps,
  order: OrderOf,
  standing?: OrderStanding,
): Promise<void> {
  const signalArgs = standing === undefined ? [] : [standing];
  return startOrSignal(
    deps,
    orderWorkflow,
    await buildStart(deps, order),
    erpStatusChanged,
    ...signalArgs,
  );
}

/**
 * Starts the workflow if necessary (rule ORD-163). Problem `not-found`. Throws
 * WorkflowUpdateFailedError.
 */
export async function updateOrder(
  deps: Deps,
  orderId: string,
  request: UpdateRequest,
): Promise<unknown> {
  const order = await deps.db.db
    .selectFrom('customer_order')
    .select(['id as orderId', 'organizationId'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NO_ORDER }));

  return startOrUpdate(deps, orderWorkflow, await buildStart(deps, order), request);
}

async function buildStart(
  { db, queues }: Deps,
  { orderId, organizationId, gifts, cartId, discountIds = [] }: OrderOf,
): Promise<WorkflowStart<OrderInput>> {
  const names = await readNames(db, orderId, gifts ?? []);
  return {
    input: {
      orderId,
      queues: orderQueues(queues),
      names,
      ...(gifts === undefined ? {} : { gifts }),
    },
    attributes: searchAttributes({
      CarteCapability: 'ordering',
      CarteOrderId: orderId,
      CarteOrderNumber: names.number,
      CarteOrganizationId: String(organizationId),
    }),
    // Read after a restore to an earlier time (ORD-113).
    memo: {
      orderId,
      organizationId,
      orderNumber: names.number,
      restaurant: names.restaurant,
      ...(cartId === undefined
        ? {}
        : { cartId, gifts: (gifts ?? []).join(' '), discountIds: discountIds.join(' ') }),
    },
    summary: executionSummary(`Order ${names.number}`, names.restaurant),
  };
}

/** Rule OPS-109. */
async function readNames(
  { db }: Sql,
  orderId: string,
  gifts: readonly string[],
): Promise<OrderNames> {
  const named = await db
    .selectFrom('customer_order as order')
    .innerJoin('mirror_organization as organization', 'organization.id', 'order.organizationId')
    .select(['order.number', 'organization.name as restaurant'])
    .where('order.id', '=', orderId)
    .executeTakeFirstOrThrow();

  return { ...named, gifts: gifts.length === 0 ? {} : await giftNames({ db }, gifts) };
}
