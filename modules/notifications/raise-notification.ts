import { sql, type RawBuilder } from 'kysely';
import type { DetailsOf } from './schemas/notification-details.ts';
import { NOTIFICATIONS, type NotificationKind } from './schemas/notifications.ts';
import { maskText } from '../../erp/masking.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { appendOutbox } from '../../kernel/outbox.ts';

export type NotificationSubject = {
  /** For example `external-menu`. */
  subjectType: string;
  subjectId: number | string;
};

/** Details never contain secrets or personal data. */
export type NewNotification<K extends NotificationKind = NotificationKind> = {
  [Kind in K]: NotificationSubject & { kind: Kind; details: DetailsOf<Kind> };
}[K];

/**
 * Stores a notification in the caller's transaction; it is sent after the commit. While a
 * notification of this kind and subject is open, another only counts as a repetition.
 */
export async function raiseNotification(tx: Sql, notification: NewNotification): Promise<number> {
  const { kind, subjectType } = notification;
  const row = await tx.db
    .insertInto('notification')
    .values({
      kind,
      severity: NOTIFICATIONS[kind].severity,
      subjectType,
      subjectId: String(notification.subjectId),
      // Masked here for the list and all channels.
      details: sql`${maskText(JSON.stringify(notification.details), [])}`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subjectType', 'subjectId'])
        .where('resolvedAt', 'is', null)
        .doUpdateSet((eb) => ({
          details: eb.ref('excluded.details'),
          repeated: eb('notification.repeated', '+', 1),
          lastRaisedAt: sql<Date>`now()`,
        })),
    )
    .returning(['id', 'repeated'])
    .executeTakeFirstOrThrow();
  if (row.repeated === 0) await appendOutbox(tx, 'NotificationRaised', { notificationId: row.id });

  return row.id;
}

/** Resolves a notification whose cause has ended. Idempotent. */
export function resolveNotification(
  tx: Sql,
  kind: NotificationKind,
  subjectType: string,
  subjectId: number | string,
): Promise<void> {
  return resolveNotifications(tx, kind, subjectType, [subjectId]);
}

/** Resolves all notifications except those about these subjects. */
export async function resolveOtherNotifications(
  tx: Sql,
  kind: NotificationKind,
  subjectType: string,
  openSubjectIds: readonly (number | string)[],
): Promise<void> {
  const ids = anyOf(openSubjectIds.map(String), 'text');
  await resolveWhere(tx, kind, subjectType, sql<boolean>`not subject_id = ${ids}`);
}

/** {@link resolveNotification} for many subjects. */
export async function resolveNotifications(
  tx: Sql,
  kind: NotificationKind,
  subjectType: string,
  subjectIds: readonly (number | string)[],
): Promise<void> {
  const ids = anyOf(subjectIds.map(String), 'text');
  await resolveWhere(tx, kind, subjectType, sql<boolean>`subject_id = ${ids}`);
}

async function resolveWhere(
  tx: Sql,
  kind: NotificationKind,
  subjectType: string,
  subjects: RawBuilder<boolean>,
): Promise<void> {
  await tx.db
    .updateTable('notification')
    .set({ resolvedAt: sql<Date>`now()` })
    .where('kind', '=', kind)
    .where('subjectType', '=', subjectType)
    .where(subjects)
    .where('resolvedAt', 'is', null)
    .execute();
}
