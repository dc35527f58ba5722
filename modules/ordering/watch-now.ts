import { orderQueues } from '../../kernel/pure/queues.ts';
import { workflowIds } from '../../kernel/pure/ids.ts';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';
import type { Sql } from '../../platform/db/database.ts';
import { startWorkflow, type TemporalDeps } from '../../kernel/start-workflow.ts';
import { areGiftsGiven } from '../gifts/gift-dishes.ts';

/**
 * Has the ERP asked now what has changed about the orders of the connection that a webhook is about, because one that was made elsewhere may contain a
 * gift (rule CMP-46). False when nobody asks: no gifts are given, or the event names no restaurant of ours. A hint: where the ERP is being asked
 * already, the next look of the schedule finds what that one misses.
 */
export async function watchNow(deps: TemporalDeps & { db: Sql }, webhookEventId: number): Promise<boolean> {
  if (!(await areGiftsGiven(deps.db))) return false;
  const place = await deps.db.db
    .selectFrom('webhook_event as event')
    .innerJoin('mirror_organization as organization', 'organization.erpId', 'event.organizationErpId')
    .select('organization.connectionId')
    .where('event.id', '=', webhookEventId)
    .where('organization.inactiveAt', 'is', null)
    .executeTakeFirst();
  if (place === undefined) return false;
  const { connectionId } = place;
  await startWorkflow(
    deps,
    'orderWatch',
    {
      workflowId: workflowIds.orderWatch(connectionId),
      args: [{ connectionId, queues: orderQueues(deps.queues) }],
      attributes: searchAttributes({ CarteCapability: 'ordering', CarteTrigger: 'EVENT' }),
      memo: { connectionId },
    },
    'USE_EXISTING',
  );
  return true;
}
