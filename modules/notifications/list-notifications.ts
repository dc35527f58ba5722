import { authorOf } from '../access/authors.ts';
import { type Notification, notificationTexts, type NotificationKind } from './schemas/notifications.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Sql } from '../../platform/db/database.ts';
import { readCursorPage, type CursorPage, type CursorPaging, type ListOrder } from '../../kernel/cursor-pages.ts';

export type NotificationFilter = CursorPaging & {
  kind?: NotificationKind | undefined;
  severity?: 'CRITICAL' | 'INFO' | undefined;
  /** True: the cause still exists; false: it has ended. */
  open?: boolean | undefined;
};

type Row = Omit<Notification, 'title' | 'text'>;

function readNotifications({ db }: Sql) {
  return db
    .selectFrom('notification')
    .select([
      'id',
      'kind',
      'severity',
      'subjectType',
      'subjectId',
      'details',
      'repeated',
      'raisedAt',
      'lastRaisedAt',
      'resolvedAt',
      'readAt',
      authorOf('notification.resolvedBy').as('resolvedBy'),
      authorOf('notification.readBy').as('readBy'),
      'sentAt',
      'sendEndedAt',
      'sendAttempts',
      'sendError',
    ]);
}

const ORDER: ListOrder = {
  own: [
    { field: 'raisedAt', direction: 'desc' },
    { field: 'id', direction: 'desc' },
  ],
  columns: {},
  nullable: ['readAt', 'resolvedAt'],
};

/** One page of notifications, newest first. */
export async function listNotifications(from: Sql, filter: NotificationFilter): Promise<CursorPage<Notification>> {
  const { kind, severity, open } = filter;
  let wanted = readNotifications(from);
  if (kind !== undefined) wanted = wanted.where('kind', '=', kind);
  if (severity !== undefined) wanted = wanted.where('severity', '=', severity);
  if (open !== undefined) wanted = wanted.where('resolvedAt', open ? 'is' : 'is not', null);
  const found = await readCursorPage(from, wanted, filter, ORDER);
  return { ...found, items: found.items.map(view) };
}

/** One notification. Problem `not-found`. */
export async function getNotification(sql: Sql, id: number): Promise<Notification> {
  const row = await readNotifications(sql)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such notification' }));
  return view(row);
}

function view(row: Row): Notification {
  const { title, when } = notificationTexts(row.kind);
  return { ...row, title, text: when };
}
