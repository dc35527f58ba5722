import type { Sql } from '../../../platform/db/database.ts';
import { restOfCircuits } from '../../connections/erp-calls/watch-circuits.ts';
import { computePhase } from '../schedules/desired-schedules.ts';
import type { SchedulePlan } from '../schedules/schedule-plan.ts';
import type { PollPlan } from '../messages/polling.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';
import { POLL_JOBS, type PollJob } from '../rules/jobs.ts';

/**
 * The polls of connections are spread over this time (MIR-49). Jobs of a connection share an
 * offset, and therefore a workflow task.
 */
const SPREAD_MS = 5 * 60_000;

/**
 * Reads the poll times of a connection's jobs and the pauses of whole jobs, not of single menus.
 */
export async function readPollPlan(
  { db: database, plan }: { db: Sql; plan: Pick<SchedulePlan, 'jobs' | 'orderWatch' | 'timings'> },
  connectionId: number,
): Promise<PollPlan> {
  const { db } = database;
  const connection = await db
    .selectFrom('connection')
    .select('id')
    .where('id', '=', connectionId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();

  const pauses = await db
    .selectFrom('import_pause as pause')
    .select(['job', 'reason', 'until'])
    .where('connectionId', '=', connectionId)
    .where('externalMenuId', 'is', null)
    .where(IN_FORCE)
    .execute();

  const offsetMs = Math.floor(computePhase(connectionId) * SPREAD_MS);
  const intervals = {
    STOP_LIST: plan.jobs.STOP_LIST,
    MENU: plan.jobs.MENU,
    ORDERS: plan.orderWatch,
  };

  const jobs = POLL_JOBS.map((job) => {
    const pause = pauses.find((row) => row.job === job);
    const { everyMs } = intervals[job];

    return [
      job,
      {
        everyMs,
        offsetMs: offsetMs % everyMs,
        pause:
          pause === undefined
            ? null
            : { reason: pause.reason, until: pause.until?.getTime() ?? null },
      },
    ] as const;
  });

  return {
    isEnabled: connection !== undefined,
    jobs: Object.fromEntries(jobs) as Record<PollJob, PollPlan['jobs'][PollJob]>,
    timings: plan.timings,
    circuitRestMs: await restOfCircuits(database, connectionId),
  };
}
