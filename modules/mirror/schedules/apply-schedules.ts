import { toScheduleId } from '../../../kernel/pure/define-workflow.ts';
import { mediaSweepWorkflow } from '../../media/messages/media.ts';
import { createHash } from 'node:crypto';
import { isGrpcDeadlineError, type Client, type ScheduleOptions } from '@temporalio/client';
import { sql } from 'kysely';
import type { Queues } from '../../../kernel/pure/queues.ts';
import type { Database } from '../../../platform/db/database.ts';
import { StartFailure } from '../../../platform/start-failure.ts';
import { desiredSchedules, syncTargets } from './desired-schedules.ts';
import { rememberPausedElsewhere } from './paused-elsewhere.ts';
import {
  isPausedElsewhere,
  noteElsewhere,
  wantedState,
  type ScheduleState,
} from './schedule-note.ts';
import { schedulePauses, type SchedulePause } from './schedule-pauses.ts';
import type { SchedulePlan } from './schedule-plan.ts';

export type ScheduleDeps = { db: Database; temporal: Client; queues: Queues; plan: SchedulePlan };

export type AppliedSchedules = {
  created: number;
  updated: number;
  deleted: number;
  unchanged: number;
  pausedElsewhere: number;
};

type Present = { paused: boolean; note?: string | undefined };

/** `made`: the media schedule if just created. */
type Claim = { installation: string; made: { scheduleId: string; state: ScheduleState } | null };

/** Limits the list. Changes have single limits: a thousand may take a minute (MIR-58). */
const LIST_MS = 30_000;
/** A busy Temporal sometimes never responds, but responds to a retry at once. */
const TRY_MS = 8_000;
const TRIES = 3;
const OURS = 'schedule/';
/** Every installation has this schedule, which reserves the namespace. */
export const CLAIM = toScheduleId(mediaSweepWorkflow.id({}));

/**
 * Reconciles Temporal's schedules with rows and plan. A pause made in Temporal is kept and
 * recorded. A digest in each schedule's note avoids updates without a change. Idempotent.
 */
export async function applySchedules({
  db,
  temporal,
  queues,
  plan,
}: ScheduleDeps): Promise<AppliedSchedules> {
  // Read before rows, so that a schedule just created for a new row is not deleted.
  const existing = await listedSchedules(temporal);
  const { installation, made } = await claimNamespace({ db, temporal, queues, plan });
  if (made !== null) existing.set(made.scheduleId, made.state);
  const targets = await syncTargets(db);
  const pauses = await schedulePauses(db);
  const desired = desiredSchedules(targets, plan, queues).map((schedule) => ({
    ...schedule,
    memo: { installation },
  }));

  const applied = await apply(temporal, existing, desired, pauses);
  const elsewhere = [...existing].filter(
    ([id, state]) => isPausedElsewhere(state) && !pauses.has(id),
  );
  await rememberPausedElsewhere(
    db,
    elsewhere.map(([scheduleId, state]) => ({ scheduleId, note: noteElsewhere(state) })),
  );

  const claimed = made === null ? 0 : 1;

  return {
    ...applied,
    created: applied.created + claimed,
    unchanged: applied.unchanged - claimed,
    pausedElsewhere: elsewhere.length,
  };
}

function listedSchedules(temporal: Client): Promise<Map<string, Present>> {
  return temporal.withDeadline(Date.now() + LIST_MS, async () => {
    const existing = new Map<string, Present>();
    for await (const { scheduleId, state } of temporal.schedule.list())
      if (scheduleId.startsWith(OURS)) existing.set(scheduleId, state);
    return existing;
  });
}

/**
 * Reserves the namespace. Throws StartFailure if another installation has it (MIR-50): both would
 * delete each other's schedules and process each other's work, because workflow ids are row ids.
 */
export async function claimNamespace({ db, temporal, queues, plan }: ScheduleDeps): Promise<Claim> {
  const { installationId: installation } = await db.db
    .selectFrom('mirror_reconciled')
    .select('installationId')
    .executeTakeFirstOrThrow();

  const schedule = desiredSchedules([], plan, queues).find(
    ({ scheduleId }) => scheduleId === CLAIM,
  )!;
  const state = wantedState(hashSchedule(schedule), undefined, undefined);
  const isNew = await tried(temporal, async () => {
    if (!(await isScheduleMissing(temporal, schedule.scheduleId))) return false;
    return temporal.schedule
      .create({ ...schedule, memo: { installation }, state: { ...schedule.state, ...state } })
      .then(() => true, ignoreNamed('ScheduleAlreadyRunning'));
  });
  if (isNew === true) return { installation, made: { scheduleId: schedule.scheduleId, state } };

  const { memo } = await tried(temporal, () =>
    temporal.schedule.getHandle(schedule.scheduleId).describe(),
  );
  const owner = memo?.['installation'];
  if (owner !== installation)
    throw new StartFailure(
      `The namespace "${temporal.options.namespace}" of Temporal belongs to another installation; give this one its own with TEMPORAL_NAMESPACE.`,
    );

  return { installation, made: null };
}

export async function isScheduleMissing(temporal: Client, scheduleId: string): Promise<boolean> {
  return tried(temporal, () => temporal.schedule.getHandle(scheduleId).describe()).then(
    () => false,
    (error: unknown) => {
      ignoreNamed('ScheduleNotFoundError')(error);
      return true;
    },
  );
}

/** Records the time of a successful reconciliation. */
export async function noteReconciled({ db }: { db: Database }): Promise<void> {
  await db.db
    .insertInto('mirror_reconciled')
    .values({ id: 1, at: sql<Date>`now()` })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ at: sql<Date>`now()` }))
    .execute();
}

async function apply(
  temporal: Client,
  existing: ReadonlyMap<string, Present>,
  desired: readonly ScheduleOptions[],
  pauses: ReadonlyMap<string, SchedulePause>,
): Promise<Omit<AppliedSchedules, 'pausedElsewhere'>> {
  const result = { created: 0, updated: 0, deleted: 0, unchanged: 0 };

  for (const schedule of desired) {
    const present = existing.get(schedule.scheduleId);
    const pause = pauses.get(schedule.scheduleId);
    const target = wantedState(hashSchedule(schedule), present, pause);
    if (present?.note === target.note && present.paused === target.paused) result.unchanged += 1;
    else result[await tried(temporal, () => createOrUpdate(temporal, schedule, pause))] += 1;
  }

  const scheduleIds = new Set(desired.map((options) => options.scheduleId));

  for (const scheduleId of existing.keys()) {
    if (scheduleIds.has(scheduleId)) continue;
    // Temporal's list is delayed: the schedule may already be deleted.
    await tried(temporal, () =>
      temporal.schedule.getHandle(scheduleId).delete().catch(ignoreNamed('ScheduleNotFoundError')),
    );
    result.deleted += 1;
  }

  return result;
}

async function createOrUpdate(
  temporal: Client,
  schedule: ScheduleOptions,
  pause: SchedulePause | undefined,
): Promise<'created' | 'updated'> {
  const digest = hashSchedule(schedule);

  try {
    await temporal.schedule.create({
      ...schedule,
      state: { ...schedule.state, ...wantedState(digest, undefined, pause) },
    });

    return 'created';
  } catch (error) {
    ignoreNamed('ScheduleAlreadyRunning')(error);
  }

  const { scheduleId, state: _state, memo: _memo, ...definition } = schedule;
  // Reads the schedule itself, because Temporal's list is delayed.
  await temporal.schedule.getHandle(scheduleId).update((present) => ({
    ...definition,
    state: wantedState(digest, present.state, pause),
  }));

  return 'updated';
}

/** Retries `work` after a time-out of Temporal, so it may run twice. */
async function tried<T>(temporal: Client, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await temporal.withDeadline(Date.now() + TRY_MS, work);
    } catch (error) {
      if (tries === TRIES || !isGrpcDeadlineError(error)) throw error;
    }
  }
}

function hashSchedule({ memo: _onlyAtCreation, ...schedule }: ScheduleOptions): string {
  return createHash('sha256').update(JSON.stringify(schedule)).digest('hex').slice(0, 16);
}

/** Tests load several copies of Temporal's error classes. */
function ignoreNamed(name: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Error) || error.name !== name) throw error;
  };
}
