import { connectionSyncWorkflow } from './messages/sync.ts';
import type { ImportTimings } from './messages/sync.ts';
import { activityQueues } from '../../kernel/pure/queues.ts';
import { searchAttributes } from '../../platform/pure/search-attributes.ts';
import type { Sql } from '../../platform/db/database.ts';
import { startWorkflow, type TemporalDeps } from '../../kernel/start-workflow.ts';

type Deps = TemporalDeps & { db: Sql; timings: ImportTimings };

/** Starts all imports of a connection in order, unless this sync is already running. */
export function syncConnection(deps: Omit<Deps, 'db'>, connectionId: number): Promise<void> {
  return startWorkflow(
    deps,
    connectionSyncWorkflow,
    {
      input: {
        connectionId,
        trigger: 'EVENT',
        timings: deps.timings,
        queues: activityQueues(deps.queues),
      },
      attributes: searchAttributes({
        CarteCapability: 'mirror',
        CarteConnectionId: connectionId,
        CarteTrigger: 'EVENT',
      }),
      memo: { connectionId },
    },
    'USE_EXISTING',
  );
}

/** Starts all imports of enabled connections that take over organizations of this disabled one. */
export async function syncClaimants(deps: Deps, connectionId: number): Promise<void> {
  const claimants = await deps.db.db
    .selectFrom('connection as disabled')
    .innerJoin('mirror_organization as served', 'served.connectionId', 'disabled.id')
    .innerJoin('mirror_organization as claim', 'claim.erpId', 'served.erpId')
    .innerJoin('connection as claimant', 'claimant.id', 'claim.connectionId')
    .select('claimant.id')
    .distinct()
    .where('disabled.id', '=', connectionId)
    .where('disabled.status', '=', 'DISABLED')
    .where('served.inactiveAt', 'is', null)
    .whereRef('claimant.id', '<>', 'disabled.id')
    .where('claimant.status', '=', 'ACTIVE')
    .orderBy('claimant.id')
    .execute();

  for (const { id } of claimants) await syncConnection(deps, id);
}
