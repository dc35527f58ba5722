import { orderWatchWorkflow } from './messages/ordering.ts';
import { orderQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import type { Sql } from '../../platform/db/database.ts';
import { startWorkflow, type TemporalDeps } from '../../kernel/start-workflow.ts';
import { readsAllOrders } from './poll-orders.ts';

/**
 * Starts a poll of the connection that a webhook is about: an order from elsewhere belongs to a
 * customer's history and may contain a gift (rules ORD-94, CMP-46). Returns false if its orders are
 * not read or the event names no restaurant of ours. If a poll is already running, the scheduled
 * one finds what it misses.
 */
export async function watchNow(deps: TemporalDeps & { db: Sql }, webhookEventId: number): Promise<boolean> {
  const place = await deps.db.db
    .selectFrom('webhook_event as event')
    .innerJoin('mirror_organization as organization', 'organization.erpId', 'event.organizationErpId')
    .select('organization.connectionId')
    .where('event.id', '=', webhookEventId)
    .where('organization.inactiveAt', 'is', null)
    .executeTakeFirst();
  if (place === undefined || !(await readsAllOrders(deps.db, place.connectionId))) return false;
  const { connectionId } = place;
  await startWorkflow(
    deps,
    orderWatchWorkflow,
    {
      input: { connectionId, queues: orderQueues(deps.queues) },
      attributes: searchAttributes({ CarteCapability: 'ordering', CarteTrigger: 'EVENT' }),
      memo: { connectionId },
    },
    'USE_EXISTING',
  );
  return true;
}
