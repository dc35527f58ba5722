import type { Sql } from '../../../platform/db/database.ts';
import { startOrSignal } from '../../../kernel/start-workflow.ts';
import { ordersChanged, pollingWorkflow } from '../../mirror/messages/polling.ts';
import { pollingStart, type PollingDeps } from '../../mirror/polling/start-polling.ts';
import { endRequest, requestPoll } from './order-poll.ts';
import { readsAllOrders } from '../at-erp/polled-organizations.ts';
import { FINAL_STATES } from '../rules/order-states.ts';

export type OrderEvent = { webhookEventId: number; erpOrderId: string };

/**
 * Requests a poll (rules ORD-98, ORD-94, CMP-46). Sends one signal for all waiting events.
 * NOT_OURS: no poll reads the order.
 */
export async function watchNow(
  deps: PollingDeps,
  event: OrderEvent,
): Promise<'ASKED' | 'ENDED' | 'NOT_OURS'> {
  const order = (await ownOrder(deps.db, event)) ?? (await orderFromElsewhere(deps.db, event));
  if (order === undefined) return 'NOT_OURS';
  const { connectionId, isEnded } = order;
  if (isEnded) return 'ENDED';
  if (await requestPoll(deps.db, connectionId)) await signalLoop(deps, connectionId);

  return 'ASKED';
}

async function signalLoop(deps: PollingDeps, connectionId: number): Promise<void> {
  try {
    await startOrSignal(deps, pollingWorkflow, pollingStart(deps, connectionId), ordersChanged);
  } catch (error) {
    // The event is delivered again, and must not wait for a poll that was not requested.
    await endRequest(deps.db, connectionId);
    throw error;
  }
}

type Hinted = { connectionId: number; isEnded: boolean };

async function ownOrder({ db }: Sql, { erpOrderId }: OrderEvent): Promise<Hinted | undefined> {
  const order = await db
    .selectFrom('customer_order')
    .select(['connectionId', 'endedAt'])
    .where((eb) => eb.or([eb('id', '=', erpOrderId), eb('erpOrderId', '=', erpOrderId)]))
    .executeTakeFirst();

  return order && { connectionId: order.connectionId, isEnded: order.endedAt !== null };
}

async function orderFromElsewhere(
  from: Sql,
  { webhookEventId, erpOrderId }: OrderEvent,
): Promise<Hinted | undefined> {
  const place = await from.db
    .selectFrom('webhook_event as event')
    .innerJoin(
      'mirror_organization as organization',
      'organization.erpId',
      'event.organizationErpId',
    )
    .leftJoin('erp_order as order', (join) => join.on('order.id', '=', erpOrderId))
    .select(['organization.connectionId', 'order.state'])
    .where('event.id', '=', webhookEventId)
    .where('organization.inactiveAt', 'is', null)
    .executeTakeFirst();
  if (place === undefined || !(await readsAllOrders(from, place.connectionId))) return undefined;

  return {
    connectionId: place.connectionId,
    isEnded: place.state !== null && FINAL_STATES.has(place.state),
  };
}
