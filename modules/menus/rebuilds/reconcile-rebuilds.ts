import { sql } from 'kysely';
import { inBatches } from '../../../kernel/pure/lists.ts';
import { startRebuild, type RebuildDeps } from './wake-rebuilds.ts';

/** More are left to the next call, which is a minute away. */
const ROWS_PER_CALL = 1_000;
/** Rebuilds signaled at once. */
const AT_ONCE = 20;

/** Interval of retries of a build that failed because of its data: a new release may succeed. */
const RETRY_BROKEN_AFTER = sql`interval '1 hour'`;

/**
 * Starts the rebuild of every menu whose row is dirty for longer than any debounce may last: its
 * signal was lost, with Temporal's database or before. A running one is not signaled, for any queue
 * length, or each of them would be built twice; one whose last build failed for these very reasons
 * waits for a further one, or for an hour (rule SNP-46). Returns their number.
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
  for (const some of inBatches(rows, AT_ONCE)) await Promise.all(some.map((menu) => startRebuild(deps, menu)));
  return { woken: rows.length };
}
