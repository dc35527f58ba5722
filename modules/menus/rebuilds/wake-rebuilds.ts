import { sql } from 'kysely';
import { buildQueues } from '../../../kernel/pure/queues.ts';
import {
  snapshotDirtied,
  snapshotRebuildWorkflow,
  type SnapshotRebuildInput,
} from './messages/rebuilds.ts';
import type { DebounceTimes } from './rules/debounce.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import {
  startOrSignal,
  startWorkflow,
  type TemporalDeps,
  type WorkflowStart,
} from '../../../kernel/start-workflow.ts';

export type RebuildDeps = TemporalDeps & { db: Sql; debounce: DebounceTimes };

/** `name` is null if not served. */
type Menu = { organizationId: number; name: string | null };
type Due = Row<'snapshot_request', 'organizationId' | 'askedSeq', Pick<Menu, 'name'>>;

/** Enough for 100 restaurants in a fraction of a second without flooding Temporal. */
const AT_ONCE = 20;

/**
 * Starts or signals due rebuilds; null means all organizations. A reason is signaled once, so edits
 * during an outage of Temporal cost one signal per menu. `reconcileRebuilds` repairs lost signals.
 */
export async function wakeRebuilds(
  deps: RebuildDeps,
  organizationIds: readonly number[] | null,
): Promise<void> {
  if (organizationIds?.length === 0) return;
  for (;;) {
    const due = await takeDue(deps, organizationIds);
    if (due.length === 0) return;
    const outcomes = await Promise.allSettled(
      due.map((menu) =>
        startOrSignal(deps, snapshotRebuildWorkflow, buildStart(deps, menu), snapshotDirtied),
      ),
    );

    const failed = outcomes.flatMap((result, at) =>
      result.status === 'rejected' ? [{ menu: due[at]!, why: result.reason }] : [],
    );
    if (failed.length === 0) continue;

    await giveBack(
      deps,
      failed.map(({ menu }) => menu),
    );

    throw failed[0]!.why;
  }
}

/** A running rebuild reads the row again before it ends. */
export function startRebuild(deps: RebuildDeps, menu: Menu): Promise<void> {
  return startWorkflow(deps, snapshotRebuildWorkflow, buildStart(deps, menu), 'USE_EXISTING');
}

function buildStart(
  { queues, debounce }: RebuildDeps,
  { organizationId, name }: Menu,
): WorkflowStart<SnapshotRebuildInput> {
  return {
    input: { organizationId, ...debounce, queues: buildQueues(queues) },
    attributes: searchAttributes({
      CarteCapability: 'snapshot',
      CarteOrganizationId: String(organizationId),
    }),
    memo: { organizationId },
    summary: name ?? undefined,
  };
}

/** Skips locked rows: their transactions send events of their own, and builds check them again. */
async function takeDue(
  { db }: RebuildDeps,
  organizationIds: readonly number[] | null,
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select organization_id from snapshot_request
       where dirty_seq > built_seq and dirty_seq > asked_seq
         and (${organizationIds}::bigint[] is null or organization_id = any (${organizationIds}))
       order by organization_id limit ${AT_ONCE} for update skip locked)
    update snapshot_request request set asked_seq = request.dirty_seq from due
     where request.organization_id = due.organization_id
    returning request.organization_id, request.asked_seq,
              (select name from served_organization organization where organization.id = request.organization_id) as name`.execute(
    db.db,
  );

  return rows;
}

async function giveBack({ db }: RebuildDeps, menus: readonly Due[]): Promise<void> {
  await sql`
    update snapshot_request request set asked_seq = request.built_seq
      from unnest(${menus.map((menu) => menu.organizationId)}::bigint[], ${menus.map((menu) => menu.askedSeq)}::bigint[]) as left_over (id, seq)
     where request.organization_id = left_over.id and request.asked_seq = left_over.seq`.execute(
    db.db,
  );
}
