import { sql } from 'kysely';
import type { AuditEntity, AuditEntry } from '../schemas/audit.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { given, readPage, type Page, type Paging } from '../../../kernel/pages.ts';

export type AuditFilter = Paging & {
  entityType?: AuditEntity | undefined;
  entityId?: string | undefined;
  userId?: number | undefined;
  /** First moment, inclusive. */
  from?: string | undefined;
  /** End, exclusive. */
  to?: string | undefined;
};

/** One page of the audit, newest first. */
export function listAudit(
  { db }: Sql,
  { entityType, entityId, userId, from, to, ...paging }: AuditFilter,
): Promise<Page<AuditEntry>> {
  const found = db
    .selectFrom('audit_entry as entry')
    .where((eb) =>
      eb.and([
        eb.and(given({ 'entry.entityType': entityType, 'entry.entityId': entityId, 'entry.actorId': userId })),
        ...(from === undefined ? [] : [eb('entry.at', '>=', sql<Date>`${from}::timestamptz`)]),
        ...(to === undefined ? [] : [eb('entry.at', '<', sql<Date>`${to}::timestamptz`)]),
      ]),
    );
  const entries = found
    .leftJoin('access_user as user', 'user.id', 'entry.actorId')
    .select(['entry.id', 'entry.at', 'entry.actorType', 'entry.actorId as userId', 'user.fullName as userName'])
    .select(['entry.entityType', 'entry.entityId', 'entry.action', 'entry.before', 'entry.after'])
    .select(['entry.reason', 'entry.requestId'])
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc');
  return readPage(entries, paging, found);
}
