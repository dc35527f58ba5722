import type { Tx } from '../../../platform/db/database.ts';
import {
  raiseGroupedNotification,
  resolveGroupedNotification,
  type GroupedNotification,
} from '../../notifications/grouped-notifications.ts';
import {
  resolveNotification,
  type NotificationSubject,
} from '../../notifications/raise-notification.ts';
import type {
  GroupedKind,
  MemberDetailsOf,
} from '../../notifications/schemas/notification-details.ts';
import type { OrderRow } from './order-row.ts';

type OrderNotice = { [K in GroupedKind]: { kind: K; details: MemberDetailsOf<K> } }[GroupedKind];

/**
 * Notifies staff of a locked order, once per connection, `cause` and UTC hour (rule ORD-127).
 * `details` must not contain personal data.
 */
export function raiseOrderNotice(
  tx: Tx,
  row: OrderRow,
  { cause, ...notice }: OrderNotice & { cause: string },
): Promise<void> {
  const hour = row.readAt.toISOString().slice(0, 13);
  return raiseInGroup(tx, row, {
    ...notice,
    subjectType: 'orders-of-connection',
    subjectId: `${row.connectionId}/${cause}/${hour}`,
  });
}

/** Notifies staff of a delivered order that the ERP never ended (rule ORD-100). */
export const raiseNeverClosed = (
  tx: Tx,
  row: OrderRow,
  details: MemberDetailsOf<'ORDER_NEVER_ENDED'>,
): Promise<void> =>
  raiseInGroup(tx, row, {
    kind: 'ORDER_NEVER_ENDED',
    subjectType: 'connection',
    subjectId: String(row.connectionId),
    details,
  });

function raiseInGroup(
  tx: Tx,
  { id, number, organizationId }: OrderRow,
  group: NotificationSubject & OrderNotice,
): Promise<void> {
  const details = { orderId: id, number, organizationId, ...group.details };
  return raiseGroupedNotification(tx, { ...group, memberId: id, details } as GroupedNotification);
}

/** Resolves the notification of a failed order that is sent again. */
export async function resolveFailedOrder(tx: Tx, orderId: string): Promise<void> {
  for (const kind of ['ORDER_DIVERGENCE', 'ORDER_NOT_SENT'] as const)
    await resolveGroupedNotification(tx, { kind, memberId: orderId });
}

/** Resolves the notification of an order that its restaurant did not accept in time. */
export async function resolveStuckOrder(tx: Tx, orderId: string): Promise<void> {
  await resolveGroupedNotification(tx, { kind: 'ORDER_STUCK', memberId: orderId });
  // The previous release notified per order.
  await resolveNotification(tx, 'ORDER_STUCK', 'order', orderId);
}
