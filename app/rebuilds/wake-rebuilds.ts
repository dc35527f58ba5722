import { workflowIds } from '../../contracts/ids.ts';
import { snapshotDirtied } from '../../contracts/messages/rebuilds.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import type { Sql } from '../../db/database.ts';
import { inBatches } from '../../domain/batches.ts';
import { startOrSignal, type TemporalDeps } from '../../platform/start-workflow.ts';

/** How long a rebuild waits for changes to pause, and at most; milliseconds. */
export type DebounceTimes = { debounceMs: number; debounceMaxMs: number };

export type RebuildDeps = TemporalDeps & { db: Sql; debounce: DebounceTimes };

/** Rebuilds woken at once: a chain of 100 restaurants takes a fraction of a second without flooding the server. */
const AT_ONCE = 20;

/** Starts the rebuild of these menus or joins those that wait; null means all active organizations. A hint: `dirty_seq` decides. */
export async function wakeRebuilds(deps: RebuildDeps, organizationIds: readonly number[] | null): Promise<void> {
  for (const some of inBatches(organizationIds ?? (await allActiveOrganizations(deps)), AT_ONCE))
    await Promise.all(some.map((organizationId) => wakeRebuild(deps, organizationId)));
}

function wakeRebuild(deps: RebuildDeps, organizationId: number): Promise<void> {
  return startOrSignal(
    deps,
    'snapshotRebuild',
    {
      workflowId: workflowIds.snapshotRebuild(organizationId),
      args: [{ organizationId, ...deps.debounce }],
      attributes: searchAttributes({
        CarteCapability: 'snapshot',
        CarteOrganizationId: String(organizationId),
      }),
    },
    snapshotDirtied,
  );
}

async function allActiveOrganizations({ db: { db } }: RebuildDeps): Promise<number[]> {
  const rows = await db
    .selectFrom('mirror_organization')
    .select('id')
    .where('inactiveAt', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}
