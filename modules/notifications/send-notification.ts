import { sql } from 'kysely';
import type { GuestLanguage } from '../../kernel/guest-language.ts';
import {
  createMessage,
  type MessageKey,
  type ParamsArgument,
} from '../../kernel/pure/messages/message.ts';
import { textIn } from '../../kernel/staff-text.ts';
import { readSettings } from '../settings/read-settings.ts';
import { notificationTexts } from './notification-texts.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { NotifyChannel, NotifyLetter, NotifyMessage } from '../../platform/notify-channels.ts';
import { maskText } from '../../erp/masking.ts';
import type { Database, Sql } from '../../platform/db/database.ts';

export type SendDeps = {
  db: Database;
  channels: readonly NotifyChannel[];
  /** API URL for links, or null for paths. `adminUrl` takes precedence. */
  publicUrl: string | null;
  adminUrl: string | null;
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
  sentAt: Date | null;
  resolvedAt: Date | null;
};

/**
 * Sends a notification on every channel that has not accepted it, unless it is resolved. If a
 * channel fails, the others still send; the masked reasons are stored and thrown for retries. A
 * crash may repeat a message with the same id, which receivers drop.
 */
export async function sendNotification(
  deps: SendDeps,
  notificationId: number,
): Promise<{ outcome: SendOutcome }> {
  const row = await readRow(deps.db, notificationId);
  if (row !== undefined && row.sentAt !== null) return { outcome: 'SENT_BEFORE' };
  // Rows are deleted long after they are resolved.
  if (row === undefined || row.resolvedAt !== null) return { outcome: 'RESOLVED' };
  if (deps.channels.length === 0) return { outcome: 'NOT_CONFIGURED' };
  const { staff_language: language } = await readSettings(deps.db, 'staff_language');
  const message = messageFor(row, language, deps);
  const letter = buildLetter(message, language);
  const failures: string[] = [];

  for (const channel of deps.channels) {
    if (row.sentChannels.includes(channel.name)) continue;
    const failure = await sendThrough(deps, channel, { message, letter, id: row.id });
    if (failure !== null) failures.push(`${channel.name}: ${failure}`);
  }

  if (failures.length > 0) throw await failed(deps, row, failures.join('; '));
  await deps.db.db
    .updateTable('notification')
    .set((eb) => ({
      sentAt: sql<Date>`now()`,
      sendAttempts: eb('sendAttempts', '+', 1),
      sendError: null,
    }))
    .where('id', '=', row.id)
    .execute();

  return { outcome: 'SENT' };
}

/** Ends the retries of an unsent notification, which a metric and an alert report. */
export async function giveUpNotification(
  { db, log }: SendDeps,
  notificationId: number,
): Promise<void> {
  const rows = await db.db
    .updateTable('notification')
    .set({ sendEndedAt: sql<Date>`now()` })
    .where('id', '=', notificationId)
    .where('sentAt', 'is', null)
    .where('sendEndedAt', 'is', null)
    .returning('kind')
    .execute();

  for (const { kind } of rows)
    log.error({ notificationId, kind }, 'a notification to administrators was given up');
}

function readRow({ db }: Sql, id: number): Promise<Row | undefined> {
  return db
    .selectFrom('notification')
    .select([
      'id',
      'kind',
      'severity',
      'subjectType',
      'subjectId',
      'details',
      'raisedAt',
      'sentChannels',
      'sentAt',
      'resolvedAt',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

function messageFor(
  row: Row,
  language: GuestLanguage,
  { publicUrl, adminUrl }: Pick<SendDeps, 'publicUrl' | 'adminUrl'>,
): NotifyMessage {
  const { title, text } = notificationTexts(row.kind, language);

  return {
    id: `notification-${row.id}`,
    kind: row.kind,
    severity: row.severity,
    title,
    text,
    subject: { type: row.subjectType, id: row.subjectId },
    details: row.details,
    raisedAt: row.raisedAt.toISOString(),
    link: `${adminUrl ?? `${publicUrl ?? ''}/api/admin/v1`}/notifications/${row.id}`,
  };
}

function buildLetter(message: NotifyMessage, language: GuestLanguage): NotifyLetter {
  const { kind, severity, title, text, subject, details, raisedAt, link } = message;
  const inWords = <K extends MessageKey>(key: K, ...params: ParamsArgument<K>): string =>
    textIn(language, createMessage(key, ...params));

  const facts = [
    inWords('mail.kind', { kind }),
    inWords('mail.subject', { subject: `${subject.type} ${subject.id}` }),
    inWords('mail.raisedAt', { moment: raisedAt }),
    inWords('mail.details', { details: JSON.stringify(details) }),
  ];

  return {
    subject: `[Carte] ${inWords(severity === 'CRITICAL' ? 'mail.CRITICAL' : 'mail.INFO')}: ${title}`,
    text: [text, '', ...facts, '', inWords('mail.link', { link })].join('\n'),
  };
}

async function sendThrough(
  { db, metrics }: SendDeps,
  channel: NotifyChannel,
  { message, letter, id }: { message: NotifyMessage; letter: NotifyLetter; id: number },
): Promise<string | null> {
  try {
    await channel.send(message, letter);
  } catch (error) {
    metrics.notificationSends.inc({ channel: channel.name, outcome: 'failed' });
    return describeError(error, channel.secrets);
  }

  metrics.notificationSends.inc({ channel: channel.name, outcome: 'sent' });
  await db.db
    .updateTable('notification')
    .set({ sentChannels: sql<string[]>`array_append(sent_channels, ${channel.name}::text)` })
    .where('id', '=', id)
    .where(sql<boolean>`not ${channel.name} = any (sent_channels)`)
    .execute();

  return null;
}

/** Masks secrets, longest first, because one may contain another. */
function describeError(error: unknown, secrets: readonly string[]): string {
  const { message, cause } = error as { message?: unknown; cause?: { message?: unknown } | null };
  const words = [message, cause?.message].filter((entry) => typeof entry === 'string');
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return maskText(words.join(': '), longestFirst).slice(0, 300);
}

async function failed({ db, log }: SendDeps, { id, kind }: Row, reasons: string): Promise<Error> {
  await db.db
    .updateTable('notification')
    .set((eb) => ({ sendAttempts: eb('sendAttempts', '+', 1), sendError: reasons }))
    .where('id', '=', id)
    .execute();
  log.warn({ notificationId: id, kind, reasons }, 'a notification to administrators was not sent');

  return new Error(`the notification was not sent: ${reasons}`);
}
