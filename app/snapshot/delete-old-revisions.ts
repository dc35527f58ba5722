import type { Sql } from '../../db/database.ts';
import { readSettings } from '../settings/read-settings.ts';

/**
 * Deletes revisions that were superseded more than `snapshot.revision_days` ago, at most `limit`, and returns how many. The served
 * one and a pinned one stay, whatever their age; one that is being pinned just now is left to the next call.
 */
export async function deleteOldRevisions(sql: Sql, limit: number): Promise<number> {
  const { 'snapshot.revision_days': days } = await readSettings(sql, 'snapshot.revision_days');
  const rows = await sql.query(
    `delete from snapshot_revision where ctid in (
       select kept.ctid from snapshot_revision kept
        where kept.superseded_at < now() - $1 * interval '1 day'
          and not exists (select 1 from snapshot_pin pin
                           where pin.organization_id = kept.organization_id and pin.revision = kept.revision)
        order by kept.superseded_at limit $2 for update skip locked)
     returning 1`,
    [days, limit],
  );
  return rows.length;
}
