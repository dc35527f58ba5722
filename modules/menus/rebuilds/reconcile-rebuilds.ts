import { sql } from 'kysely';
import { inBatches } from '../../../kernel/pure/lists.ts';
import { startRebuild, type RebuildDeps } from './wake-rebuilds.ts';

/** The next call handles the rest. */
const ROWS_PER_CALL = 1_000;
const AT_ONCE = 20;

/** Retries failed builds, which a new release may fix. */
const RETRY_BROKEN_AFTER = sql`interval '1 hour'`;

/**
 * Starts rebuilds whose signal was lost: their menus are outdated for longer than any debounce.
 * Does not signal running rebuilds, which would build twice. Failed builds: SNP-46.
 */
export async function reconcileRebuilds(deps: RebuildDeps): Promise<{ woken: number }> {
  const rows = await deps.db.db
    .selectFrom('snapshot_request as request')
    .innerJoin('served_organization as organization', 'organization.id', 'request.organizationId')
    .select(['organization.id as organizationId', 'organization.name'])
    .whereRef('request.dirtySeq', '>', 'request.builtSeq')
    .where(
      'request.dirtyAt',
      '<',
      sql<Date>`now() - ${deps.debounce.debounceMaxMs}::double precision * interval '1 millisecond'`,
    )
    .where((eb) =>
      eb.or([
        eb('request.failedSeq', 'is', null),
        eb('request.failedSeq', '<', eb.ref('request.dirtySeq')),
        eb('request.failedAt', '<', sql<Date>`now() - ${RETRY_BROKEN_AFTER}`),
      ]),
    )
    .orderBy('request.dirtyAt')
    .limit(ROWS_PER_CALL)
    .execute();

  for (const some of inBatches(rows, AT_ONCE))
    await Promise.all(some.map((menu) => startRebuild(deps, menu)));

  return { woken: rows.length };
}
