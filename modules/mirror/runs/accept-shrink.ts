import { importLock, type ImportInput } from '../messages/sync.ts';
import { sql } from 'kysely';
import type { HeldBack, ObservedShrink } from '../schemas/mirror.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { importTimings } from '../env.ts';
import { closeRun } from './close-run.ts';
import { organizationsOfMenu } from './import-scope.ts';
import { drawRunId, insertRun } from './open-run.ts';
import { startUnlessRunning, type StartDeps } from './start-import.ts';

type AcceptDeps = StartDeps & { metrics: Metrics };

/** The first nightly import may fail. */
const VALID_FOR = '24 hours';

type RefusedRun = {
  connectionId: number;
  externalMenuId: number;
  shrink: ObservedShrink;
  heldBack: HeldBack[];
};

export type Acceptance = { refusedRunId: number; reason: string; organizationIds?: number[] };

/**
 * Accepts the removals of a rejected run and starts a full import of the menu (MIR-13). Valid for
 * the observed share, 24 hours and one import. Rows commit before the start; the reconciler starts
 * the run after a crash. Problems: not-found; invalid-transition if the run was not rejected for
 * its shrink or a later full import succeeded; already-running and unavailable, both without an
 * acceptance; validation if a restaurant lost nothing in this run.
 */
export async function acceptShrink(
  deps: AcceptDeps,
  actor: Actor,
  request: Acceptance,
  idempotency: Idempotency | null = null,
): Promise<{ runId: number }> {
  const input = await deps.db.transaction((tx) =>
    once(tx, idempotency, () => accept(deps, tx, actor, request)),
  );
  if (idempotency?.isReplayed === true) return { runId: input.runId };

  try {
    await startUnlessRunning(deps, input);
  } catch (error) {
    await withdraw(deps, actor, input);
    throw error;
  }

  return { runId: input.runId };
}

async function accept(
  deps: AcceptDeps,
  tx: Tx,
  actor: Actor,
  { refusedRunId, reason, organizationIds }: Acceptance,
): Promise<Omit<ImportInput, 'queues'> & { runId: number }> {
  const { connectionId, externalMenuId, shrink, heldBack } = await refusedRun(tx, refusedRunId);
  if (organizationIds !== undefined && heldBack.length === 0 && concernsMenu(shrink))
    throw new Problem('invalid-transition', {
      detail: 'The run was rejected for dishes of the whole menu. Accept it for all restaurants.',
    });

  if (organizationIds !== undefined)
    await requireLosing(tx, { externalMenuId, heldBack }, organizationIds);
  const running = await tx.db
    .selectFrom('sync_run')
    .select('id')
    .where('job', '=', 'MENU')
    .where('externalMenuId', '=', externalMenuId)
    .where('status', '=', 'RUNNING')
    .limit(1)
    .executeTakeFirst();
  if (running !== undefined) throw new Problem('already-running');

  const runId = await drawRunId(tx);
  const input: Omit<ImportInput, 'queues'> & { runId: number } = {
    runId,
    job: 'MENU',
    connectionId,
    externalMenuId,
    mode: 'FULL',
    trigger: 'MANUAL',
    ...(actor.type === 'USER' ? { requestedBy: actor.userId } : {}),
    timings: importTimings(deps.env),
  };

  await insertRun(tx, {
    ...input,
    workflowId: importLock({ job: 'MENU', connectionId, externalMenuId }),
  });

  await tx.db
    .updateTable('sync_shrink_acceptance')
    .set({ endedAt: sql`now()`, endedRunId: runId, outcome: 'SUPERSEDED' })
    .where('externalMenuId', '=', externalMenuId)
    .where('endedAt', 'is', null)
    .execute();

  await tx.db
    .insertInto('sync_shrink_acceptance')
    .values({
      externalMenuId,
      refusedRunId,
      runId,
      percent: shrink.percent,
      vanished: shrink.vanished,
      before: shrink.before,
      organizationIds: organizationIds ?? null,
      reason,
      acceptedBy: input.requestedBy ?? null,
      expiresAt: sql<Date>`now() + ${VALID_FOR}::interval`,
    })
    .execute();

  await recordAudit(tx, actor, {
    entityType: 'sync-run',
    entityId: refusedRunId,
    action: 'accept-shrink',
    after: {
      runId,
      externalMenuId,
      ...shrink,
      ...(organizationIds === undefined ? {} : { organizationIds }),
    },
    reason,
  });

  return input;
}

/** Locks the menu's settings, which serializes its acceptances. */
async function refusedRun(tx: Tx, id: number): Promise<RefusedRun> {
  const run = await tx.db
    .selectFrom('sync_run')
    .select([
      'connectionId',
      'externalMenuId',
      'status',
      sql<ObservedShrink | null>`result -> 'shrink'`.as('shrink'),
      sql<HeldBack[]>`coalesce(result -> 'heldBack', '[]')`.as('heldBack'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (run === undefined) throw new Problem('not-found', { detail: 'No such run' });

  const { connectionId, externalMenuId, status, shrink, heldBack } = run;
  // A run stores its shrink if it was rejected for it or has held back rows.
  if (status === 'RUNNING' || shrink === null || externalMenuId === null)
    throw new Problem('invalid-transition', {
      detail: 'The run was neither rejected because of a shrink nor held back',
    });

  await tx.db
    .selectFrom('external_menu_setting')
    .select('externalMenuId')
    .where('externalMenuId', '=', externalMenuId)
    .forUpdate()
    .execute();

  const later = await tx.db
    .selectFrom('sync_run')
    .select('id')
    .where('job', '=', 'MENU')
    .where('externalMenuId', '=', externalMenuId)
    .where('id', '>', id)
    .where('mode', '=', 'FULL')
    .where('status', '=', 'SUCCESS')
    .limit(1)
    .executeTakeFirst();

  if (later !== undefined)
    throw new Problem('invalid-transition', {
      detail: 'A later full import has succeeded: there is nothing to accept',
    });

  return { connectionId, externalMenuId, shrink, heldBack };
}

/** Items and modifiers concern all restaurants of the menu. */
const concernsMenu = ({
  before,
  vanished,
  modifierGroups,
  thresholdPercent,
}: ObservedShrink): boolean =>
  vanished * 100 > before * thresholdPercent || (modifierGroups?.percent ?? 0) > thresholdPercent;

/** MIR-101. */
async function requireLosing(
  tx: Tx,
  { externalMenuId, heldBack }: Pick<RefusedRun, 'externalMenuId' | 'heldBack'>,
  organizationIds: readonly number[],
): Promise<void> {
  const losing = heldBack.flatMap(({ organizationId }) => organizationId ?? []);
  const allowed = losing.length > 0 ? losing : await organizationsOfMenu(tx, externalMenuId);
  const strange = organizationIds.filter((id) => !allowed.includes(id));
  if (strange.length > 0)
    throw invalidField(
      'organizationIds',
      'not_found',
      `The run has removed nothing of ${strange.join(', ')}`,
    );
}

export async function withdrawAcceptance(tx: Tx, runId: number): Promise<void> {
  await tx.db
    .updateTable('sync_shrink_acceptance')
    .set({ endedAt: sql`now()`, endedRunId: runId, outcome: 'WITHDRAWN' })
    .where('runId', '=', runId)
    .where('endedAt', 'is', null)
    .execute();
}

async function withdraw(
  deps: AcceptDeps,
  actor: Actor,
  { runId, externalMenuId }: Omit<ImportInput, 'queues'> & { runId: number },
) {
  await deps.db.transaction(async (tx) => {
    await withdrawAcceptance(tx, runId);
    await recordAudit(tx, actor, {
      entityType: 'sync-run',
      entityId: runId,
      action: 'withdraw-shrink-acceptance',
      after: { externalMenuId },
    });
  });

  await closeRun(deps, { runId, status: 'FAILED', reason: 'NOT_STARTED' });
}
