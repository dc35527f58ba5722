import { sql } from 'kysely';
import { touchedBy, type Sql } from '../../../platform/db/database.ts';
import { readSettings } from '../../settings/read-settings.ts';

/**
 * Deletes revisions that were superseded more than `snapshot.revision_days` ago, at most `limit`, and returns how many. The served
 * one and a pinned one stay, whatever their age; one that is being pinned just now is left to the next call.
 */
export async function deleteOldRevisions(tx: Sql, limit: number): Promise<number> {
  const { 'snapshot.revision_days': days } = await readSettings(tx, 'snapshot.revision_days');
  const deleted = await sql`
    delete from snapshot_revision where ctid in (
      select kept.ctid from snapshot_revision kept
       where kept.superseded_at < now() - ${days} * interval '1 day'
         and not exists (select 1 from snapshot_pin pin
                          where pin.organization_id = kept.organization_id and pin.revision = kept.revision)
       order by kept.superseded_at limit ${limit} for update skip locked)`.execute(tx.db);
  return touchedBy(deleted);
}
