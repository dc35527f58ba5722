import { sql } from 'kysely';
import { workflowIds } from '../../contracts/ids.ts';
import { isExecutionRunning } from '../../platform/executions.ts';
import type { TemporalDeps } from '../../platform/start-workflow.ts';
import type { Sql } from '../database.ts';
import { accompanyOrder } from './accompany-order.ts';

/** The usual way has not been taken within this time. */
const OVERDUE = sql<Date>`now() - interval '30 seconds'`;
/** More are left to the next call, which is a minute away and begins behind these. */
const ORDERS_PER_CALL = 1_000;

/**
 * Starts the workflow of every open order that has none: its event was lost with a process, or Temporal's database was (rule ORD-55). Returns their
 * number. A second call finds them running.
 */
export async function reconcileOrders(deps: TemporalDeps & { db: Sql }): Promise<{ started: number }> {
  const open = await deps.db.db
    .selectFrom('customer_order')
    .select(['id as orderId', 'organizationId'])
    .where('endedAt', 'is', null)
    .where('acceptedAt', '<', OVERDUE)
    .orderBy('acceptedAt')
    .limit(ORDERS_PER_CALL)
    .execute();
  let started = 0;
  for (const order of open) {
    if (await isExecutionRunning(deps.temporal, workflowIds.order(order.orderId))) continue;
    await accompanyOrder(deps, order);
    started += 1;
  }
  return { started };
}
