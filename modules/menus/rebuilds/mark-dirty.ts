import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { DirtySource, SourceForAll, SourceForSome } from './dirty-sources.ts';

/**
 * Marks, in the caller's transaction, the public menus of these organizations as outdated; inactive
 * ones have none. The row decides: the reconciler finds lost signals. Rows are locked in id order,
 * so that two edits cannot deadlock.
 */
export function markDirty(tx: Sql, source: SourceForSome, organizationIds: readonly number[]): Promise<void> {
  return mark(tx, source, organizationIds);
}

/** Like {@link markDirty} for every active organization. */
export function markAllDirty(tx: Sql, source: SourceForAll): Promise<void> {
  return mark(tx, source, null);
}

async function mark(tx: Sql, source: DirtySource, organizationIds: readonly number[] | null): Promise<void> {
  await sql`
    insert into snapshot_request (organization_id, dirty_seq, dirty_at, reason)
    select id, 1, now(), ${source} from served_organization
     where ${organizationIds}::bigint[] is null or id = any (${organizationIds}) order by id
    on conflict (organization_id) do update
      set dirty_seq = snapshot_request.dirty_seq + 1,
          dirty_at = case when snapshot_request.dirty_seq > snapshot_request.built_seq then snapshot_request.dirty_at else now() end,
          reason = excluded.reason`.execute(tx.db);
}
