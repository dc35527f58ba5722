import { sql } from 'kysely';
import type { SnapshotDeps } from './build-snapshot.ts';
import { patchAvailability } from './patch-availability.ts';

/**
 * Patches menus whose hours begin or end, or that were not evaluated for 15 minutes (SNP-76).
 * Idempotent.
 */
export async function patchDueHours(
  deps: SnapshotDeps,
  signal?: AbortSignal,
): Promise<{ menusPatched: number }> {
  const due = await deps.db.db
    .selectFrom('snapshot')
    .select('organizationId')
    .where('hoursDueAt', '<=', sql<Date>`now()`)
    .orderBy('hoursDueAt')
    .execute();

  let menusPatched = 0;

  for (const { organizationId } of due) {
    if (signal?.aborted === true) break;
    try {
      await patchAvailability(deps, organizationId);
      menusPatched += 1;
    } catch (error) {
      deps.log.error({ organizationId, err: error }, 'hours of a menu were not applied');
    }
  }

  return { menusPatched };
}
