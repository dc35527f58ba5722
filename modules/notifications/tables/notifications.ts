import { defineEntity, p } from '@mikro-orm/core';

export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    kind: p.text(),
    severity: p.text().$type<'CRITICAL' | 'INFO'>(),
    subjectType: p.text(),
    subjectId: p.text(),
    details: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    repeated: p.integer().default(0),
    raisedAt: p.datetime().defaultRaw('now()'),
    lastRaisedAt: p.datetime().defaultRaw('now()'),
    resolvedAt: p.datetime().nullable(),
    resolvedBy: p.bigint('number').nullable(),
    readAt: p.datetime().nullable(),
    readBy: p.bigint('number').nullable(),
    sentAt: p.datetime().nullable(),
    sendAttempts: p.integer().default(0),
    sendError: p.text().nullable(),
    sendEndedAt: p.datetime().nullable(),
    sentChannels: p.array().columnType('text[]').defaultRaw(`'{}'::text[]`),
  },
});

/** A cause of a grouped notification. `memberId` identifies its subject, such as an order. */
export const NotificationMember = defineEntity({
  name: 'NotificationMember',
  tableName: 'notification_member',
  properties: {
    notificationId: p.bigint('number').primary(),
    memberId: p.text().primary(),
    resolvedAt: p.datetime().nullable(),
  },
});
