import { sql } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import { REFERENCE_VERSION } from '../../media/media-base.ts';
import { markDirty } from '../rebuilds/mark-dirty.ts';

/** The next call handles the rest. */
const MENUS_PER_CALL = 1_000;

/**
 * Flags menus built by an earlier release, which may still rebuild menus after the upgrade flagged
 * them (SNP-57, SNP-58). Idempotent.
 */
export function markOlderBuilds({ db }: { db: Database }): Promise<{ olderBuilds: number }> {
  return db.transaction(async (tx) => {
    const rows = await tx.db
      .selectFrom('snapshot')
      .innerJoin(
        'served_organization as organization',
        'organization.id',
        'snapshot.organizationId',
      )
      .innerJoin('snapshot_revision as kept', (join) =>
        join
          .onRef('kept.organizationId', '=', 'snapshot.organizationId')
          .onRef('kept.revision', '=', 'snapshot.revision'),
      )
      .leftJoin('snapshot_request as request', 'request.organizationId', 'snapshot.organizationId')
      .select('snapshot.organizationId')
      .where(sql<number>`coalesce(kept.reference_version, 0)`, '<', REFERENCE_VERSION)
      .where('request.tooLargeBytes', 'is', null)
      .where(sql<boolean>`coalesce(request.dirty_seq <= request.built_seq, true)`)
      .orderBy('snapshot.organizationId')
      .limit(MENUS_PER_CALL)
      .execute();

    const organizationIds = rows.map((row) => row.organizationId);
    if (organizationIds.length === 0) return { olderBuilds: 0 };
    const reason = 'older-builder';
    await markDirty(tx, reason, organizationIds);
    await appendOutbox(tx, 'CatalogChanged', { organizationIds, reason });

    return { olderBuilds: organizationIds.length };
  });
}
