import { Type } from 'typebox';
import {
  getNotification,
  listNotifications,
  restaurantsOfNotification,
} from '../../../modules/notifications/list-notifications.ts';
import {
  readNotification,
  resolveByStaff,
} from '../../../modules/notifications/read-notification.ts';
import { resendNotification } from '../../../modules/notifications/resend-notification.ts';
import {
  NOTIFICATIONS,
  Notification,
  NotificationSeverity,
  type NotificationKind,
} from '../../../modules/notifications/schemas/notifications.ts';
import { CursorPage, Strict, Words } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, toCursorPage, cursorQuery, sortQuery } from '../../http/schemas.ts';

const tags = ['Notifications'];
const Kind = Words(Object.keys(NOTIFICATIONS) as NotificationKind[]);

const listRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/notifications',
  restaurants: 'LISTED',
  operationId: 'listNotifications',
  summary: 'Notifications for staff',
  description:
    'Users see the kinds that they may act on, by their permissions. The newest notifications come first. `open` keeps those with an active cause (true) or a past one (false).',
  tags,
  permission: 'notifications.read',
  query: Strict({
    ...cursorQuery,
    ...sortQuery(['raisedAt', 'lastRaisedAt', 'kind', 'severity', 'readAt', 'resolvedAt']),
    kind: Type.Optional(Kind),
    severity: Type.Optional(NotificationSeverity),
    open: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: CursorPage(Notification) },
  handler: async ({ query, actor }, { db }) => ({
    status: 200,
    body: await listNotifications(db, actor, { ...query, ...toCursorPage(query) }),
  }),
});

const getRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/notifications/{id}',
  restaurants: 'LISTED',
  operationId: 'getNotification',
  summary: 'One notification',
  description: 'The answer shows the notification with its current state.',
  tags,
  permission: 'notifications.read',
  params: IdParams,
  responses: { 200: Notification },
  problems: ['not-found'],
  handler: async ({ params, actor }, { db }) => ({
    status: 200,
    body: await getNotification(db, actor, params.id),
  }),
});

const readRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/notifications/{id}/read',
  restaurants: 'LISTED',
  operationId: 'readNotification',
  summary: 'Mark a notification as read',
  description: 'Only the first reader is recorded. Reading resolves nothing.',
  tags,
  permission: 'notifications.read',
  params: IdParams,
  responses: { 200: Notification },
  problems: ['not-found'],
  handler: async ({ params, actor }, deps) => ({
    status: 200,
    body: await readNotification(deps, actor, params.id),
  }),
});

const resolveRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/notifications/{id}/resolve',
  restaurants: ({ params }, { db }) => restaurantsOfNotification(db, params.id),
  operationId: 'resolveNotification',
  summary: 'Resolve a notification about a single event',
  description:
    'A resolved notification does not change. When the kind has a cause that lasts, the answer is `invalid-transition`: ' +
    'the notification is resolved when the cause ends.',
  tags,
  permission: 'notifications.read',
  params: IdParams,
  responses: { 200: Notification },
  problems: ['not-found', 'invalid-transition'],
  handler: async ({ params, actor }, deps) => ({
    status: 200,
    body: await resolveByStaff(deps, actor, params.id),
  }),
});

const resendRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/notifications/{id}/send',
  operationId: 'resendNotification',
  summary: 'Send a failed notification again',
  description:
    'Use this after a mail server or webhook receiver was repaired. Only notifications whose sending has failed for ' +
    'good are sent again; others do not change.',
  tags,
  permission: 'settings.manage',
  params: IdParams,
  responses: { 200: Notification },
  problems: ['not-found'],
  handler: async ({ params, actor }, deps) => ({
    status: 200,
    body: await resendNotification(deps, actor, params.id),
  }),
});

export const notificationRoutes = [listRoute, getRoute, readRoute, resolveRoute, resendRoute];
