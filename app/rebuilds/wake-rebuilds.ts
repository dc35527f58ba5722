import type { Client } from '@temporalio/client';
import { workflowIds } from '../../contracts/ids.ts';
import { buildQueues } from '../../contracts/queues.ts';
import { snapshotDirtied } from '../../contracts/messages/rebuilds.ts';
import { searchAttributes } from '../../contracts/search-attributes.ts';
import type { Sql } from '../../db/database.ts';
import { inBatches } from '../../domain/batches.ts';
import { startOrSignal, startWorkflow, type TemporalDeps, type WorkflowStart } from '../../platform/start-workflow.ts';

/** How long a rebuild waits for changes to pause, and at most; milliseconds. */
export type DebounceTimes = { debounceMs: number; debounceMaxMs: number };

export type RebuildDeps = TemporalDeps & { db: Sql; debounce: DebounceTimes };

/** The menu of an organization, with its name for operators while it is served. */
type Menu = { organizationId: number; name: string | null };

/** Rebuilds woken at once: a chain of 100 restaurants takes a fraction of a second without flooding the server. */
const AT_ONCE = 20;

/** The `dirty_seq` that this process has last asked a rebuild for, by organization. */
const asked = new WeakMap<Client, Map<number, number>>();

/**
 * Starts the rebuild of these menus, as far as their rows say that one is due, or joins those that wait; null means all organizations.
 * A reason that this process has asked a rebuild for is not asked for again: 200 edits that waited for Temporal cost each menu one
 * signal. A hint: `dirty_seq` decides, and a signal that got lost is repeated by `reconcileRebuilds`.
 */
export async function wakeRebuilds(deps: RebuildDeps, organizationIds: readonly number[] | null): Promise<void> {
  const { temporal } = deps;
  const known = asked.get(temporal) ?? new Map<number, number>();
  asked.set(temporal, known);
  const due = (await dueRebuilds(deps, organizationIds)).filter((each) => known.get(each.organizationId) !== each.seq);
  for (const some of inBatches(due, AT_ONCE))
    await Promise.all(
      some.map(async ({ seq, ...menu }) => {
        const { organizationId } = menu;
        // Noted before the answer, because events are delivered beside each other; a failure is tried again with its event.
        known.set(organizationId, seq);
        await wakeRebuild(deps, menu).catch((error: unknown) => {
          known.delete(organizationId);
          throw error;
        });
      }),
    );
}

/** Starts the rebuild of one menu or joins the one that waits, whatever was asked for before. */
function wakeRebuild(deps: RebuildDeps, menu: Menu): Promise<void> {
  return startOrSignal(deps, 'snapshotRebuild', rebuildOf(deps, menu), snapshotDirtied);
}

/** Starts the rebuild of one menu; one that runs is left alone, because it looks at the row before it ends. */
export function startRebuild(deps: RebuildDeps, menu: Menu): Promise<void> {
  return startWorkflow(deps, 'snapshotRebuild', rebuildOf(deps, menu), 'USE_EXISTING');
}

function rebuildOf(
  { queues, debounce }: RebuildDeps,
  { organizationId, name }: Menu,
): WorkflowStart<'snapshotRebuild'> {
  return {
    workflowId: workflowIds.snapshotRebuild(organizationId),
    args: [{ organizationId, ...debounce, queues: buildQueues(queues) }],
    attributes: searchAttributes({
      CarteCapability: 'snapshot',
      CarteOrganizationId: String(organizationId),
    }),
    memo: { organizationId },
    summary: name ?? undefined,
  };
}

async function dueRebuilds(
  { db: { db } }: RebuildDeps,
  organizationIds: readonly number[] | null,
): Promise<(Menu & { seq: number })[]> {
  if (organizationIds?.length === 0) return [];
  const due = db
    .selectFrom('snapshot_request as request')
    .leftJoin('served_organization as organization', 'organization.id', 'request.organizationId')
    .select(['request.organizationId', 'request.dirtySeq as seq', 'organization.name'])
    .whereRef('request.dirtySeq', '>', 'request.builtSeq')
    .orderBy('request.organizationId');
  return (organizationIds === null ? due : due.where('request.organizationId', 'in', organizationIds)).execute();
}
