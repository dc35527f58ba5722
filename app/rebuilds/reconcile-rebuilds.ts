import { sql } from 'kysely';
import { inBatches } from '../../domain/batches.ts';
import { wakeRebuild, type RebuildDeps } from './wake-rebuilds.ts';

/** More are left to the next call, which is a minute away. */
const ROWS_PER_CALL = 1_000;
/** Rebuilds woken at once. */
const AT_ONCE = 20;

/**
 * Wakes the rebuild of every menu whose row is dirty for longer than any debounce may last: its signal was lost, with Temporal's
 * database or before. Returns their number; waking one that is at work only lets it look again.
 */
export async function reconcileRebuilds(deps: RebuildDeps): Promise<{ woken: number }> {
  const rows = await deps.db.db
    .selectFrom('snapshot_request as request')
    .innerJoin('served_organization as organization', 'organization.id', 'request.organizationId')
    .select('organization.id')
    .whereRef('request.dirtySeq', '>', 'request.builtSeq')
    .where(
      'request.dirtyAt',
      '<',
      sql<Date>`now() - ${deps.debounce.debounceMaxMs}::double precision * interval '1 millisecond'`,
    )
    .orderBy('request.dirtyAt')
    .limit(ROWS_PER_CALL)
    .execute();
  for (const some of inBatches(rows, AT_ONCE)) await Promise.all(some.map(({ id }) => wakeRebuild(deps, id)));
  return { woken: rows.length };
}
