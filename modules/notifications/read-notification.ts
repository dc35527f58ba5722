import { KINDS_RESOLVED_BY_STAFF, type Notification } from './schemas/notifications.ts';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/problem.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { getNotification, isForReader, type NotificationReader } from './list-notifications.ts';

/**
 * Marks a notification as read; it stays open and keeps its first reader (rule NOT-2). Problem
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
      .set({ readAt: sql<Date>`now()`, readBy: actor.type === 'USER' ? actor.userId : null })
      .where('id', '=', id)
      .where('readAt', 'is', null)
      .where(isForReader(actor))
      .returning('id')
      .executeTakeFirst();
    if (read !== undefined)
      await recordAudit(tx, actor, { entityType: 'notification', entityId: id, action: 'read' });

    return getNotification(tx, actor, id);
  });
}

/**
 * Resolves a notification about a single event (rule NOT-6). Idempotent. Problems: not-found,
 * invalid-transition if its cause must end instead.
 */
export function resolveByStaff(
  { db }: { db: Database },
  actor: Actor & NotificationReader,
  id: number,
): Promise<Notification> {
  return db.transaction(async (tx) => {
    const { kind, resolvedAt } = await getNotification(tx, actor, id);
    if (resolvedAt === null && !KINDS_RESOLVED_BY_STAFF.some((entry) => entry === kind))
      throw new Problem('invalid-transition', {
        detail: 'The notification is resolved when its cause ends.',
      });

    const resolved = await tx.db
      .updateTable('notification')
      .set({
        resolvedAt: sql<Date>`now()`,
        resolvedBy: actor.type === 'USER' ? actor.userId : null,
      })
      .where('id', '=', id)
      .where('resolvedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (resolved !== undefined)
      await recordAudit(tx, actor, { entityType: 'notification', entityId: id, action: 'resolve' });

    return getNotification(tx, actor, id);
  });
}
