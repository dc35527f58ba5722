import { sql } from 'kysely';
import type { SecurityEvent, SecurityEventKind } from './schemas/security-events.ts';
import { loggable, type Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Sql } from '../../platform/db/database.ts';
import {
  readCursorPage,
  type CursorPage,
  type CursorPaging,
  type ListOrder,
} from '../../kernel/cursor-pages.ts';
import { omitUndefined } from '../../kernel/pages.ts';
import { countInWindow } from '../../kernel/window-count.ts';

/** Limits the rows that rejected requests can write. */
const MOST_AN_HOUR = 60;
const HOUR_SECONDS = 3_600;
const NETWORK_PURPOSE = 'security_event.network';

export type SecurityDeps = { db: Sql; secrets: SecretBox; log: Log };

type Noted = {
  kind: SecurityEventKind;
  userId?: number | null | undefined;
  address: string;
  requestId: string | null;
};

/**
 * Records an event with a digest of the address, limited per hour (rule ACC-13). If writing fails,
 * only logs the error.
 */
export async function noteSecurityEvent(
  { db, secrets, log }: SecurityDeps,
  { kind, userId = null, address, requestId }: Noted,
): Promise<void> {
  try {
    const place = {
      kind: `security-${kind}`,
      of: userId === null ? address : String(userId),
      most: MOST_AN_HOUR,
    };
    if ((await countInWindow(db, HOUR_SECONDS, [place])).isOver) return;

    await insertSecurityEvent(db, {
      kind,
      userId,
      requestId,
      networkDigest: secrets.digest(NETWORK_PURPOSE, address),
    });
  } catch (error) {
    log.error({ requestId, kind, error: loggable(error) }, 'a security event could not be written');
  }
}

export async function insertSecurityEvent(
  { db }: Sql,
  event: {
    kind: SecurityEventKind;
    userId: number | null;
    requestId?: string | null;
    networkDigest?: string;
  },
): Promise<void> {
  await db.insertInto('security_event').values(event).execute();
}

export type SecurityFilter = {
  kind?: SecurityEventKind | undefined;
  userId?: number | undefined;
  /** Inclusive; `to` is exclusive. */
  from?: string | undefined;
  to?: string | undefined;
};

const ORDER: ListOrder = {
  own: [
    { field: 'occurredAt', direction: 'desc' },
    { field: 'id', direction: 'desc' },
  ],
  columns: { occurredAt: 'event.occurredAt', id: 'event.id', kind: 'event.kind' },
};

export function listSecurityEvents(
  { db: source }: { db: Sql },
  { kind, userId, from, to }: SecurityFilter,
  paging: CursorPaging,
): Promise<CursorPage<SecurityEvent>> {
  const query = source.db
    .selectFrom('security_event as event')
    .where((eb) =>
      eb.and([
        eb.and(omitUndefined({ 'event.kind': kind, 'event.userId': userId })),
        ...(from === undefined
          ? []
          : [eb('event.occurredAt', '>=', sql<Date>`${from}::timestamptz`)]),
        ...(to === undefined ? [] : [eb('event.occurredAt', '<', sql<Date>`${to}::timestamptz`)]),
      ]),
    );

  const events = query
    .leftJoin('access_user as user', 'user.id', 'event.userId')
    .select([
      'event.id',
      'event.kind',
      'event.occurredAt',
      'event.userId',
      'user.fullName as userName',
    ])
    .select(['event.networkDigest as network', 'event.requestId']);

  return readCursorPage(source, events, paging, ORDER, query);
}
