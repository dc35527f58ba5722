import type { Notification } from './schemas/notifications.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { getNotification, isForReader, type NotificationReader } from './list-notifications.ts';

/**
 * Retries a notification that was given up; others are not changed. Idempotent. Problem
 * `not-found`.
 */
export function resendNotification(
  { db }: { db: Database },
  actor: Actor & NotificationReader,
  id: number,
): Promise<Notification> {
  return db.transaction(async (tx) => {
    const row = await tx.db
      .updateTable('notification')
      .set({ sendEndedAt: null })
      .where('id', '=', id)
      .where('sendEndedAt', 'is not', null)
      .where('sentAt', 'is', null)
      .where('resolvedAt', 'is', null)
      .where(isForReader(actor))
      .returning('id')
      .executeTakeFirst();

    if (row !== undefined) {
      await appendOutbox(tx, 'NotificationRaised', { notificationId: id });
      await recordAudit(tx, actor, { entityType: 'notification', entityId: id, action: 'resend' });
    }

    return getNotification(tx, actor, id);
  });
}
