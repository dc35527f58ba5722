import { NOTIFICATIONS, type NotificationKind } from '../../contracts/notifications.ts';
import { maskText } from '../../erp/masking.ts';
import type { Sql } from '../../db/database.ts';
import { appendOutbox } from '../../db/outbox.ts';

export type Notice = {
  kind: NotificationKind;
  /** What it is about, for example `external-menu` and its id. */
  subjectType: string;
  subjectId: number | string;
  /** Numbers and ids for the reader: never a secret, never personal data. */
  details: Record<string, unknown>;
};

/**
 * Stores a notice for administrators in the caller's transaction and has it sent after the commit. While a notice of the same
 * kind about the same subject is open, another one only counts as a repetition of it and is not sent again.
 */
export async function raiseNotification(tx: Sql, notice: Notice): Promise<number> {
  const [row] = await tx.query<{ id: number; isNew: boolean }>(
    `insert into notification (kind, severity, subject_type, subject_id, details) values ($1, $2, $3, $4, $5)
     on conflict (kind, subject_type, subject_id) where resolved_at is null
     do update set details = excluded.details, repeated = notification.repeated + 1, last_raised_at = now()
     returning id, repeated = 0 as "isNew"`,
    [
      notice.kind,
      NOTIFICATIONS[notice.kind].severity,
      notice.subjectType,
      String(notice.subjectId),
      // Here once, for the list and for every channel.
      maskText(JSON.stringify(notice.details), []),
    ],
  );
  if (row === undefined) throw new Error('a notification was not stored');
  if (row.isNew) await appendOutbox(tx, 'NotificationRaised', { notificationId: row.id });
  return row.id;
}

/** Ends the open notice of this kind about this subject, because its cause is gone; harmless when there is none. */
export function resolveNotification(
  tx: Sql,
  kind: NotificationKind,
  subjectType: string,
  subjectId: number | string,
): Promise<void> {
  return resolveNotifications(tx, kind, subjectType, [subjectId]);
}

/** Like {@link resolveNotification} for many subjects. */
export async function resolveNotifications(
  tx: Sql,
  kind: NotificationKind,
  subjectType: string,
  subjectIds: readonly (number | string)[],
): Promise<void> {
  await tx.query(
    `update notification set resolved_at = now()
      where kind = $1 and subject_type = $2 and subject_id = any ($3) and resolved_at is null`,
    [kind, subjectType, subjectIds.map(String)],
  );
}
