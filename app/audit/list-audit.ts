import type { AuditEntity } from '../../contracts/audit.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/** One change: who did what to which entity, with the fields before and after; secret and personal fields are masked. */
export type AuditEntry = {
  id: number;
  at: Date;
  actorType: 'USER' | 'SYSTEM';
  /** Null for the product itself. */
  userId: number | null;
  /** Name of the user as of now. */
  userName: string | null;
  entityType: AuditEntity;
  entityId: string;
  action: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  requestId: string | null;
};

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
  sql: Sql,
  { entityType, entityId, userId, from, to, ...paging }: AuditFilter,
): Promise<Page<AuditEntry>> {
  return readPageOfText(sql, paging, {
    columns: `entry.id, entry.at, entry.actor_type as "actorType", entry.actor_id as "userId", u.full_name as "userName",
      entry.entity_type as "entityType", entry.entity_id as "entityId", entry.action, entry.before, entry.after, entry.reason,
      entry.request_id as "requestId"`,
    from: `audit_entry entry left join access_user u on u.id = entry.actor_id
      where ($1::text is null or entry.entity_type = $1) and ($2::text is null or entry.entity_id = $2)
        and ($3::bigint is null or entry.actor_id = $3)
        and ($4::timestamptz is null or entry.at >= $4) and ($5::timestamptz is null or entry.at < $5)`,
    order: 'entry.at desc, entry.id desc',
    params: [entityType ?? null, entityId ?? null, userId ?? null, from ?? null, to ?? null],
  });
}
