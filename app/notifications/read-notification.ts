import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { getNotification, type NotificationView } from './list-notifications.ts';

/** Marks a notice as read by the actor; the first reader stays, and a second call changes nothing. Problem `not-found`. */
export function readNotification({ db }: { db: Database }, actor: Actor, id: number): Promise<NotificationView> {
  return db.transaction(async (tx) => {
    const read = await tx.query(
      'update notification set read_at = now(), read_by = $2 where id = $1 and read_at is null returning id',
      [id, actor.type === 'USER' ? actor.userId : null],
    );
    if (read.length > 0) await recordAudit(tx, actor, { entityType: 'notification', entityId: id, action: 'read' });
    return getNotification(tx, id);
  });
}
