import { notificationTexts } from '../../contracts/notifications.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { NotifyChannel, NotifyMessage } from '../../platform/notify-channels.ts';
import { maskText } from '../../erp/masking.ts';
import type { Database, Sql } from '../database.ts';

export type SendDeps = {
  db: Database;
  channels: readonly NotifyChannel[];
  /** Address of the API for links, null gives paths. */
  publicUrl: string | null;
  metrics: Pick<Metrics, 'notificationSends'>;
  log: Log;
};

export type SendOutcome = 'SENT' | 'SENT_BEFORE' | 'RESOLVED' | 'NOT_CONFIGURED';

type Row = {
  id: number;
  kind: string;
  severity: string;
  subjectType: string;
  subjectId: string;
  details: unknown;
  raisedAt: Date;
  sentChannels: string[];
  isSent: boolean;
  isResolved: boolean;
};

/**
 * Sends a notice through every configured channel that has not taken it, and records each one as it takes it. A notice whose cause
 * is gone is not sent. When a channel fails the others are still tried; then the masked reasons are kept in the row and thrown as
 * one error, so that the caller's policy tries again. Between sending and recording a crash may repeat one message: its id is the
 * same, and receivers drop what they have.
 */
export async function sendNotification(deps: SendDeps, notificationId: number): Promise<{ outcome: SendOutcome }> {
  const row = await readRow(deps.db, notificationId);
  if (row?.isSent) return { outcome: 'SENT_BEFORE' };
  // Rows are deleted only long after they were resolved.
  if (row === undefined || row.isResolved) return { outcome: 'RESOLVED' };
  if (deps.channels.length === 0) return { outcome: 'NOT_CONFIGURED' };
  const message = messageOf(row, deps.publicUrl);
  const failures: string[] = [];
  for (const channel of deps.channels) {
    if (row.sentChannels.includes(channel.name)) continue;
    const failure = await sendThrough(deps, channel, message, row.id);
    if (failure !== null) failures.push(`${channel.name}: ${failure}`);
  }
  if (failures.length > 0) throw await failed(deps, row, failures.join('; '));
  await deps.db.query(
    'update notification set sent_at = now(), send_attempts = send_attempts + 1, send_error = null where id = $1',
    [row.id],
  );
  return { outcome: 'SENT' };
}

/** Records that a notice is not tried any more, unless it was sent; a metric and an alert tell it. */
export async function giveUpNotification({ db, log }: SendDeps, notificationId: number): Promise<void> {
  const rows = await db.query<{ kind: string }>(
    `update notification set send_ended_at = now() where id = $1 and sent_at is null and send_ended_at is null returning kind`,
    [notificationId],
  );
  for (const { kind } of rows) log.error({ notificationId, kind }, 'a notice to administrators was given up');
}

async function readRow(sql: Sql, id: number): Promise<Row | undefined> {
  const [row] = await sql.query<Row>(
    `select id, kind, severity, subject_type as "subjectType", subject_id as "subjectId", details, raised_at as "raisedAt",
            sent_channels as "sentChannels", sent_at is not null as "isSent", resolved_at is not null as "isResolved"
       from notification where id = $1`,
    [id],
  );
  return row;
}

function messageOf(row: Row, publicUrl: string | null): NotifyMessage {
  const { title, when } = notificationTexts(row.kind);
  return {
    id: `notification-${row.id}`,
    kind: row.kind,
    severity: row.severity,
    title,
    text: when,
    subject: { type: row.subjectType, id: row.subjectId },
    details: row.details,
    raisedAt: row.raisedAt.toISOString(),
    link: `${publicUrl ?? ''}/api/admin/v1/notifications/${row.id}`,
  };
}

async function sendThrough(
  { db, metrics }: SendDeps,
  channel: NotifyChannel,
  message: NotifyMessage,
  id: number,
): Promise<string | null> {
  try {
    await channel.send(message);
  } catch (error) {
    metrics.notificationSends.inc({ channel: channel.name, outcome: 'failed' });
    return reasonOf(error, channel.secrets);
  }
  metrics.notificationSends.inc({ channel: channel.name, outcome: 'sent' });
  await db.query(
    `update notification set sent_channels = array_append(sent_channels, $2)
      where id = $1 and not $2 = any (sent_channels)`,
    [id, channel.name],
  );
  return null;
}

/** What went wrong, with its cause, without the secrets of the channel; the longest first, because one may hold another. */
function reasonOf(error: unknown, secrets: readonly string[]): string {
  const { message, cause } = error as { message?: unknown; cause?: { message?: unknown } | null };
  const words = [message, cause?.message].filter((each) => typeof each === 'string');
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return maskText(words.join(': '), longestFirst).slice(0, 300);
}

async function failed({ db, log }: SendDeps, { id, kind }: Row, reasons: string): Promise<Error> {
  await db.query('update notification set send_attempts = send_attempts + 1, send_error = $2 where id = $1', [
    id,
    reasons,
  ]);
  log.warn({ notificationId: id, kind, reasons }, 'a notice to administrators was not sent');
  return new Error(`the notice was not sent: ${reasons}`);
}
