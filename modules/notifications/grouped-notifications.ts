import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { maskText } from '../../erp/masking.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { GroupedKind, MemberDetailsOf } from './schemas/notification-details.ts';
import { NOTIFICATIONS } from './schemas/notifications.ts';
import type { NotificationSubject } from './raise-notification.ts';

/** A member; the notification's subject is the group. */
export type GroupedNotification = NotificationSubject &
  { [K in GroupedKind]: { kind: K; memberId: string; details: MemberDetailsOf<K> } }[GroupedKind];

/** Further members are only counted. */
const MOST_LISTED = sql.lit('$[0 to 49]');

/**
 * Adds a member to the group's open notification, or raises one (rule ORD-127). Only the first
 * member sends it. `details` counts members and lists the first 50. Raising a member again counts
 * as a repetition. The caller must lock the member first.
 */
export async function raiseGroupedNotification(
  tx: Tx,
  notification: GroupedNotification,
): Promise<void> {
  const { kind, subjectType, memberId } = notification;
  const repeated = await tx.db
    .updateTable('notification')
    .set((eb) => ({
      repeated: eb('notification.repeated', '+', 1),
      lastRaisedAt: sql<Date>`now()`,
    }))
    .from('notification_member as member')
    .whereRef('member.notificationId', '=', 'notification.id')
    .where('member.memberId', '=', memberId)
    .where('member.resolvedAt', 'is', null)
    .where('kind', '=', kind)
    .where('notification.resolvedAt', 'is', null)
    .returning('notification.id')
    .executeTakeFirst();
  if (repeated !== undefined) return;

  const details = { count: 1, members: [notification.details] };
  const group = await tx.db
    .insertInto('notification')
    .values({
      kind,
      severity: NOTIFICATIONS[kind].severity,
      subjectType,
      subjectId: String(notification.subjectId),
      details: sql`${maskText(JSON.stringify(details), [])}`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subjectType', 'subjectId'])
        .where('resolvedAt', 'is', null)
        .doUpdateSet((eb) => ({
          details: sql`jsonb_build_object(
            'count', coalesce((notification.details ->> 'count')::int, 1) + 1,
            'members', jsonb_path_query_array(
              coalesce(notification.details -> 'members', jsonb_build_array(notification.details))
                || (excluded.details -> 'members'),
              ${MOST_LISTED}))`,
          repeated: eb('notification.repeated', '+', 1),
          lastRaisedAt: sql<Date>`now()`,
        })),
    )
    .returning(['id', 'repeated'])
    .executeTakeFirstOrThrow();

  await tx.db
    .insertInto('notification_member')
    .values({ notificationId: group.id, memberId })
    .onConflict((conflict) =>
      conflict.columns(['notificationId', 'memberId']).doUpdateSet({ resolvedAt: null }),
    )
    .execute();

  if (group.repeated === 0)
    await appendOutbox(tx, 'NotificationRaised', { notificationId: group.id });
}

/** Ends the cause of one member; the last member resolves the notification. Idempotent. */
export async function resolveGroupedNotification(
  tx: Tx,
  { kind, memberId }: Pick<GroupedNotification, 'kind' | 'memberId'>,
): Promise<void> {
  // The lock serializes members, so that the last one finds the others ended.
  const groups = await tx.db
    .selectFrom('notification')
    .innerJoin('notification_member as member', 'member.notificationId', 'notification.id')
    .select('notification.id')
    .where('member.memberId', '=', memberId)
    .where('member.resolvedAt', 'is', null)
    .where('kind', '=', kind)
    .orderBy('notification.id')
    .forUpdate('notification')
    .execute();

  for (const { id } of groups) {
    await tx.db
      .updateTable('notification_member')
      .set({ resolvedAt: sql<Date>`now()` })
      .where('notificationId', '=', id)
      .where('memberId', '=', memberId)
      .execute();

    await tx.db
      .updateTable('notification')
      .set({ resolvedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .where('resolvedAt', 'is', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('notification_member')
              .select('memberId')
              .where('notificationId', '=', id)
              .where('notification_member.resolvedAt', 'is', null),
          ),
        ),
      )
      .execute();
  }
}
