import { BINDING_LISTENERS } from './binding/listeners.ts';
import { CATALOG_LISTENERS } from './catalog/listeners.ts';
import { COMPENSATION_LISTENERS } from './gifts/listeners.ts';
import { combineListeners, type Listeners } from '../kernel/events/listeners.ts';
import {
  createOutboxDelivery,
  type DeliveryDeps,
  type OutboxDelivery,
} from '../kernel/events/outbox-delivery.ts';
import { FULFILLMENT_LISTENERS, type FulfillmentListenerDeps } from './delivery/listeners.ts';
import { MIRROR_LISTENERS, type MirrorListenerDeps } from './mirror/listeners.ts';
import { NOTIFICATION_LISTENERS } from './notifications/listeners.ts';
import type { SendingDeps } from './notifications/start-sending.ts';
import { ORDERING_LISTENERS, type OrderListenerDeps } from './ordering/listeners.ts';
import { REBUILD_LISTENERS } from './menus/rebuilds/listeners.ts';
import type { RebuildDeps } from './menus/rebuilds/wake-rebuilds.ts';
import { SNAPSHOT_LISTENERS, type SnapshotListenerDeps } from './menus/snapshot/listeners.ts';

/** Dependencies of all listeners. */
export type ListenerDeps = DeliveryDeps &
  RebuildDeps &
  SnapshotListenerDeps &
  MirrorListenerDeps &
  SendingDeps &
  FulfillmentListenerDeps &
  OrderListenerDeps;

const TABLES = [
  REBUILD_LISTENERS,
  SNAPSHOT_LISTENERS,
  MIRROR_LISTENERS,
  CATALOG_LISTENERS,
  BINDING_LISTENERS,
  NOTIFICATION_LISTENERS,
  FULFILLMENT_LISTENERS,
  ORDERING_LISTENERS,
  COMPENSATION_LISTENERS,
] as const satisfies readonly Listeners<never>[];

/** Delivers events to every capability, for one process. */
export function createEventDelivery(deps: ListenerDeps): OutboxDelivery {
  return createOutboxDelivery(deps, EVENT_LISTENERS);
}

export const EVENT_LISTENERS = combineListeners<ListenerDeps>(
  TABLES as readonly Listeners<ListenerDeps>[],
);
