import { sql, type Expression, type SqlBool } from 'kysely';
import { selectAuthor } from '../access/authors.ts';
import { notificationTexts } from './notification-texts.ts';
import { kindsFor, type Notification, type NotificationKind } from './schemas/notifications.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Permission } from '../../kernel/pure/permissions.ts';
import type { Restaurants, Scope } from '../../kernel/scope.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import {
  readCursorPage,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../kernel/cursor-pages.ts';

export type NotificationFilter = CursorPaging & {
  kind?: NotificationKind | undefined;
  severity?: 'CRITICAL' | 'INFO' | undefined;
  /** True while the cause exists. */
  open?: boolean | undefined;
};

/** Permissions determine the readable kinds (rule NOT-5). */
export type NotificationReader = { permissions: readonly Permission[]; scope: Scope };

/** Returns a condition for notifications that a reader may see. */
export function isForReader({ permissions, scope }: NotificationReader): Expression<SqlBool> {
  const isOfKind = sql<SqlBool>`kind = ${anyOf(kindsFor(permissions), 'text')}`;
  return scope === null
    ? isOfKind
    : sql<SqlBool>`${isOfKind} and ${RESTAURANTS_OF_NOTIFICATION} && ${scope}::bigint[]`;
}

/** Restaurants in the subject or the details. */
export const RESTAURANTS_OF_NOTIFICATION = sql<number[]>`array(
  select subject_id::bigint where subject_type = 'organization' and subject_id ~ '^[0-9]{1,18}$'
  union
  select (named.id #>> '{}')::bigint from jsonb_path_query(details, 'lax $.**.organizationId') as named (id)
   where named.id #>> '{}' ~ '^[0-9]{1,18}$'
  union
  select served.id
    from (select jsonb_path_query(details, 'lax $.**.organizationErpId') as id
           union all select jsonb_path_query(details, 'lax $.**.organizationErpIds[*]')) named
    join served_organization served on served.erp_id::text = named.id #>> '{}')`;

/** Null for notifications of the whole chain. */
export async function restaurantsOfNotification({ db }: Sql, id: number): Promise<Restaurants> {
  const row = await db
    .selectFrom('notification')
    .select(RESTAURANTS_OF_NOTIFICATION.as('ids'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;

  return row.ids.length === 0 ? null : row.ids;
}

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
      selectAuthor('notification.resolvedBy').as('resolvedBy'),
      selectAuthor('notification.readBy').as('readBy'),
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

export async function listNotifications(
  from: Sql,
  reader: NotificationReader,
  filter: NotificationFilter,
): Promise<CursorPage<Notification>> {
  const { kind, severity, open } = filter;
  let query = readNotifications(from).where(isForReader(reader));
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (severity !== undefined) query = query.where('severity', '=', severity);
  if (open !== undefined) query = query.where('resolvedAt', open ? 'is' : 'is not', null);
  const page = await readCursorPage(from, query, filter, ORDER);

  return { ...page, items: page.items.map(view) };
}

/** Problem `not-found`. */
export async function getNotification(
  from: Sql,
  reader: NotificationReader,
  id: number,
): Promise<Notification> {
  const row = await readNotifications(from)
    .where('id', '=', id)
    .where(isForReader(reader))
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such notification' }));

  return view(row);
}

function view(row: Row): Notification {
  return { ...row, ...notificationTexts(row.kind) };
}
