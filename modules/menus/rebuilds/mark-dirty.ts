import { sql } from 'kysely';
import type { Actor } from '../../../kernel/actor.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { NO_USER } from './causes.ts';
import type { DirtySource, SourceForAll, SourceForSome } from './dirty-sources.ts';

/**
 * Flags menus of active organizations as outdated. The reconciler finds lost signals. Locks rows by
 * id, so that edits cannot deadlock. `actor`: SNP-78.
 */
export function markDirty(
  tx: Sql,
  source: SourceForSome,
  organizationIds: readonly number[],
  actor: Actor | null = null,
): Promise<void> {
  return mark(tx, source, organizationIds, actor);
}

/** {@link markDirty} for all active organizations. */
export function markAllDirty(
  tx: Sql,
  source: SourceForAll,
  actor: Actor | null = null,
): Promise<void> {
  return mark(tx, source, null, actor);
}

async function mark(
  tx: Sql,
  source: DirtySource,
  organizationIds: readonly number[] | null,
  actor: Actor | null,
): Promise<void> {
  const userId = actor?.type === 'USER' ? actor.userId : NO_USER;
  await sql`
    with marked as (
    insert into snapshot_request (organization_id, dirty_seq, dirty_at, reason)
    select id, 1, now(), ${source} from served_organization
     where ${organizationIds}::bigint[] is null or id = any (${organizationIds}) order by id
    on conflict (organization_id) do update
      set dirty_seq = snapshot_request.dirty_seq + 1,
          dirty_at = case when snapshot_request.dirty_seq > snapshot_request.built_seq then snapshot_request.dirty_at else now() end,
          reason = excluded.reason
    returning organization_id, dirty_seq)
    insert into snapshot_cause as cause (organization_id, source, user_id, first_seq, last_seq)
    select organization_id, ${source}, ${userId}, dirty_seq, dirty_seq from marked order by organization_id
    on conflict (organization_id, source, user_id) do update set last_seq = excluded.last_seq, at = now()`.execute(
    tx.db,
  );
}
