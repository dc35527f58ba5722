import { Type } from 'typebox';
import { getNotification, listNotifications } from '../../../app/notifications/list-notifications.ts';
import { readNotification } from '../../../app/notifications/read-notification.ts';
import { resendNotification } from '../../../app/notifications/resend-notification.ts';
import { NOTIFICATIONS, type NotificationKind } from '../../../contracts/notifications.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdParams, Nullable, Page, pageOf, pageQuery, Strict, Timestamp, Words } from '../../http/schemas.ts';

const tags = ['Notifications'];
const Kind = Words(Object.keys(NOTIFICATIONS) as NotificationKind[]);
const Severity = Words(['CRITICAL', 'INFO']);

const Notification = Type.Object({
  id: Id,
  kind: Type.String(),
  severity: Severity,
  title: Type.String(),
  text: Type.String({ description: 'What has happened' }),
  subjectType: Type.String({ description: 'What it is about, for example `external-menu`' }),
  subjectId: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
  repeated: Type.Integer({ description: 'How often the same was raised again while it was open' }),
  raisedAt: Timestamp,
  lastRaisedAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
  readAt: Nullable(Timestamp),
  readBy: Nullable(Id),
  sentAt: Nullable(Timestamp),
  sendEndedAt: Nullable(Timestamp),
  sendAttempts: Type.Integer(),
  sendError: Nullable(Type.String({ description: 'Why the last attempt to send it failed' })),
});

const listRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/notifications',
  operationId: 'listNotifications',
  summary: 'Notices for administrators',
  description: 'Newest first. `open` keeps those whose cause is still there (true) or gone (false).',
  tags,
  permission: 'notifications.read',
  query: Strict({
    ...pageQuery,
    kind: Type.Optional(Kind),
    severity: Type.Optional(Severity),
    open: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Page(Notification) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listNotifications(db, { ...query, ...pageOf(query) }),
  }),
});

const getRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/notifications/{id}',
  operationId: 'getNotification',
  summary: 'One notice',
  description: 'As it is now.',
  tags,
  permission: 'notifications.read',
  params: IdParams,
  responses: { 200: Notification },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getNotification(db, params.id) }),
});

const readRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/notifications/{id}/read',
  operationId: 'readNotification',
  summary: 'Mark a notice as read',
  description: 'The first reader is kept. It stays open until its cause is gone.',
  tags,
  permission: 'notifications.read',
  params: IdParams,
  responses: { 200: Notification },
  problems: ['not-found'],
  handler: async ({ params, actor }, deps) => ({ status: 200, body: await readNotification(deps, actor, params.id) }),
});

const resendRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/notifications/{id}/send',
  operationId: 'resendNotification',
  summary: 'Send a notice again that was given up',
  description: 'For the time after a mail server or receiver was repaired. Changes nothing in other states.',
  tags,
  permission: 'settings.manage',
  params: IdParams,
  responses: { 200: Notification },
  problems: ['not-found'],
  handler: async ({ params, actor }, deps) => ({ status: 200, body: await resendNotification(deps, actor, params.id) }),
});

export const notificationRoutes = [listRoute, getRoute, readRoute, resendRoute];
