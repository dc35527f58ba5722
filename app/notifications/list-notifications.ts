import { Problem } from '../../contracts/problem.ts';
import { notificationTexts, type NotificationKind } from '../../contracts/notifications.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

export type NotificationView = {
  id: number;
  kind: string;
  severity: 'CRITICAL' | 'INFO';
  title: string;
  text: string;
  subjectType: string;
  subjectId: string;
  details: Record<string, unknown>;
  /** How often the same was raised again while it was open. */
  repeated: number;
  raisedAt: Date;
  lastRaisedAt: Date;
  /** Null while its cause is there. */
  resolvedAt: Date | null;
  readAt: Date | null;
  readBy: number | null;
  sentAt: Date | null;
  /** When sending was given up. */
  sendEndedAt: Date | null;
  sendAttempts: number;
  sendError: string | null;
};

export type NotificationFilter = Paging & {
  kind?: NotificationKind | undefined;
  severity?: 'CRITICAL' | 'INFO' | undefined;
  /** True: the cause is still there; false: it is gone. */
  open?: boolean | undefined;
};

type Row = Omit<NotificationView, 'title' | 'text'>;

const COLUMNS = `id, kind, severity, subject_type as "subjectType", subject_id as "subjectId", details, repeated,
  raised_at as "raisedAt", last_raised_at as "lastRaisedAt", resolved_at as "resolvedAt", read_at as "readAt", read_by as "readBy",
  sent_at as "sentAt", send_ended_at as "sendEndedAt", send_attempts as "sendAttempts", send_error as "sendError"`;

/** One page of notices, newest first. */
export async function listNotifications(sql: Sql, filter: NotificationFilter): Promise<Page<NotificationView>> {
  const { page, size, kind, severity, open } = filter;
  const found = await readPageOfText<Row>(
    sql,
    { page, size },
    {
      columns: COLUMNS,
      from: `notification where ($1::text is null or kind = $1) and ($2::text is null or severity = $2)
             and ($3::boolean is null or (resolved_at is null) = $3)`,
      order: 'raised_at desc, id desc',
      params: [kind ?? null, severity ?? null, open ?? null],
    },
  );
  return { ...found, items: found.items.map(view) };
}

/** One notice. Problem `not-found`. */
export async function getNotification(sql: Sql, id: number): Promise<NotificationView> {
  const [row] = await sql.query<Row>(`select ${COLUMNS} from notification where id = $1`, [id]);
  if (row === undefined) throw new Problem('not-found', { detail: 'No such notification' });
  return view(row);
}

function view(row: Row): NotificationView {
  const { title, when } = notificationTexts(row.kind);
  return { ...row, title, text: when };
}
