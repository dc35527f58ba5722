import { createHash } from 'node:crypto';
import type { Client, ScheduleOptions } from '@temporalio/client';
import type { Queues } from '../../../contracts/queues.ts';
import type { Database } from '../../../db/database.ts';
import { desiredSchedules, syncTargets } from './desired-schedules.ts';
import type { SchedulePlan } from './schedule-plan.ts';

export type ScheduleDeps = { db: Database; temporal: Client; queues: Queues; plan: SchedulePlan };

export type AppliedSchedules = { created: number; updated: number; deleted: number; unchanged: number };

const DEADLINE_MS = 30_000;
const OURS = 'schedule/';

/**
 * Makes Temporal's schedules those that the rows and the plan want: creates, updates and deletes; a schedule that an operator
 * has paused stays paused. Schedules carry the digest of their definition in their note, so one that is as it should be costs
 * nothing. A second call changes nothing.
 */
export async function applySchedules({ db, temporal, queues, plan }: ScheduleDeps): Promise<AppliedSchedules> {
  return temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    // The list before the rows: a schedule that somebody has just created for a new row is then never taken for a leftover.
    const existing = new Map<string, string | undefined>();
    for await (const { scheduleId, state } of temporal.schedule.list())
      if (scheduleId.startsWith(OURS)) existing.set(scheduleId, state.note);
    return apply(temporal, existing, desiredSchedules(await syncTargets(db), plan, queues));
  });
}

async function apply(
  temporal: Client,
  existing: ReadonlyMap<string, string | undefined>,
  desired: readonly ScheduleOptions[],
): Promise<AppliedSchedules> {
  const result: AppliedSchedules = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  for (const schedule of desired) {
    const note = noteOf(schedule);
    if (existing.get(schedule.scheduleId) === note) result.unchanged += 1;
    else result[await createOrUpdate(temporal, schedule, note)] += 1;
  }
  const wanted = new Set(desired.map((each) => each.scheduleId));
  for (const scheduleId of existing.keys()) {
    if (wanted.has(scheduleId)) continue;
    // The list lags behind: what it still names may be gone already.
    await temporal.schedule.getHandle(scheduleId).delete().catch(ignoreNamed('ScheduleNotFoundError'));
    result.deleted += 1;
  }
  return result;
}

async function createOrUpdate(
  temporal: Client,
  schedule: ScheduleOptions,
  note: string,
): Promise<'created' | 'updated'> {
  try {
    await temporal.schedule.create({ ...schedule, state: { ...schedule.state, note } });
    return 'created';
  } catch (error) {
    ignoreNamed('ScheduleAlreadyRunning')(error);
  }
  const { scheduleId, state: _onlyAtCreation, ...definition } = schedule;
  await temporal.schedule.getHandle(scheduleId).update((present) => ({
    ...definition,
    state: { paused: present.state.paused, note },
  }));
  return 'updated';
}

function noteOf(schedule: ScheduleOptions): string {
  return `definition ${createHash('sha256').update(JSON.stringify(schedule)).digest('hex').slice(0, 16)}`;
}

/** Errors of Temporal's client are known by name, because tests have several copies of its classes. */
function ignoreNamed(name: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Error) || error.name !== name) throw error;
  };
}
