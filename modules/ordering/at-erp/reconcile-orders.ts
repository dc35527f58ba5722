import { orderWorkflow } from '../messages/ordering.ts';
import { sql } from 'kysely';
import { isExecutionRunning, runningExecutions } from '../../../platform/executions.ts';
import type { TemporalDeps } from '../../../kernel/start-workflow.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { accompanyOrder } from './accompany-order.ts';

/** By this time, an event has normally started the workflow. */
const OVERDUE = sql<Date>`now() - interval '30 seconds'`;
const ORDERS_PER_PAGE = 1_000;

/** Starts missing workflows of open orders (rule ORD-55). Idempotent. */
export async function reconcileOrders(
  deps: TemporalDeps & { db: Sql },
  ordersPerPage = ORDERS_PER_PAGE,
): Promise<{ started: number }> {
  let started = 0;
  let running: ReadonlySet<string> | undefined;

  for (let after: string | null = null; ;) {
    const open = await openOrders(deps.db, after, ordersPerPage);
    // The list of executions may be outdated.
    if (open.length > 0) running ??= await runningExecutions(deps.temporal, orderWorkflow);

    for (const order of open) {
      const workflowId = orderWorkflow.id({ orderId: order.orderId });
      if (running?.has(workflowId) || (await isExecutionRunning(deps.temporal, workflowId)))
        continue;
      await accompanyOrder(deps, order);
      started += 1;
    }

    if (open.length < ordersPerPage) return { started };
    after = open.at(-1)!.orderId;
  }
}

function openOrders({ db }: Sql, after: string | null, count: number) {
  return db
    .selectFrom('customer_order')
    .select(['id as orderId', 'organizationId'])
    .where('endedAt', 'is', null)
    .where('acceptedAt', '<', OVERDUE)
    .where((eb) => (after === null ? eb.lit(true) : eb('id', '>', after)))
    .orderBy('id')
    .limit(count)
    .execute();
}
