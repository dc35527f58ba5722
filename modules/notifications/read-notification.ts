import { KINDS_THAT_END_WHEN_READ, type Notification } from './schemas/notifications.ts';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { getNotification, isForReader, type NotificationReader } from './list-notifications.ts';

/**
 * Marks a notification as read by the actor; the first reader stays, and a second call changes
 * nothing. One about a single event is resolved with it (rule NOT-2). Problem
 * `not-found`.
 */
export function readNotification(
  { db }: { db: Database },
  actor: Actor & NotificationReader,
  id: number,
): Promise<Notification> {
  return db.transaction(async (tx) => {
    const read = await tx.db
      .updateTable('notification')
      .set((eb) => ({
        readAt: sql<Date>`now()`,
        readBy: actor.type === 'USER' ? actor.userId : null,
        resolvedAt: eb
          .case()
          .when('kind', 'in', KINDS_THAT_END_WHEN_READ)
          .then(eb.fn.coalesce('resolvedAt', sql<Date>`now()`))
          .else(eb.ref('resolvedAt'))
          .end(),
      }))
      .where('id', '=', id)
      .where('readAt', 'is', null)
      .where(isForReader(actor))
      .returning('id')
      .executeTakeFirst();
    if (read !== undefined) await recordAudit(tx, actor, { entityType: 'notification', entityId: id, action: 'read' });
    return getNotification(tx, actor, id);
  });
}
