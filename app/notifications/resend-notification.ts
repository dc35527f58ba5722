import { appendOutbox } from '../../db/outbox.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { getNotification, type NotificationView } from './list-notifications.ts';

/**
 * Has a notice that was given up tried again, after a channel was repaired. One that is sent, resolved or still being tried stays as
 * it is, so a second call changes nothing. Problem `not-found`.
 */
export function resendNotification({ db }: { db: Database }, actor: Actor, id: number): Promise<NotificationView> {
  return db.transaction(async (tx) => {
    const taken = await tx.query(
      `update notification set send_ended_at = null
        where id = $1 and send_ended_at is not null and sent_at is null and resolved_at is null returning id`,
      [id],
    );
    if (taken.length > 0) {
      await appendOutbox(tx, 'NotificationRaised', { notificationId: id });
      await recordAudit(tx, actor, { entityType: 'notification', entityId: id, action: 'resend' });
    }
    return getNotification(tx, id);
  });
}
