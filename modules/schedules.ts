import type { WorkflowWith } from '../kernel/pure/define-workflow.ts';
import { orderQueues } from '../kernel/pure/queues.ts';
import { giftReconciliationWorkflow } from './ordering/messages/gift-reconciliation.ts';
import { importTimings } from './mirror/env.ts';
import type { ScheduleInterval, SchedulePlan } from './mirror/schedules/schedule-plan.ts';
import type { Job } from './mirror/rules/jobs.ts';
import type { Env } from './env.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * `offsetShare` is a share of the interval and keeps jobs in order. `catchupMs` limits how late a
 * missed run may start.
 */
const JOBS: Readonly<
  Record<
    Job,
    { every: keyof ScheduleEnv & `SYNC_${string}_EVERY`; offsetShare: number; catchupMs: number }
  >
> = {
  ORGANIZATIONS: { every: 'SYNC_LISTS_EVERY', offsetShare: 0, catchupMs: 10 * MINUTE },
  TERMINALS: { every: 'SYNC_LISTS_EVERY', offsetShare: 2 / 60, catchupMs: 10 * MINUTE },
  MENU_LIST: { every: 'SYNC_LISTS_EVERY', offsetShare: 4 / 60, catchupMs: 10 * MINUTE },
  MENU: { every: 'SYNC_MENU_EVERY', offsetShare: 1 / 5, catchupMs: 5 * MINUTE },
  STOP_LIST: { every: 'SYNC_STOP_LIST_EVERY', offsetShare: 1 / 2, catchupMs: MINUTE },
  ZONES: { every: 'SYNC_LISTS_EVERY', offsetShare: 6 / 60, catchupMs: 10 * MINUTE },
};

const NIGHTLY_CATCHUP_MS = 6 * HOUR;
/** Spreads the executions of many connections. */
const JITTER_SHARE = 1 / 30;
/** Temporal counts in whole seconds. */
const SHORTEST_MS = SECOND;

type ScheduleEnv = Pick<
  Env,
  | 'SYNC_LISTS_EVERY'
  | 'SYNC_MENU_EVERY'
  | 'SYNC_STOP_LIST_EVERY'
  | 'SYNC_MENU_FULL_AT'
  | 'SYNC_TIME_ZONE'
  | 'GIFTS_COMPARED_AT'
  | 'SYNC_ASYNC_POLL'
  | 'SYNC_ASYNC_LIMIT'
  | 'SYNC_HEARTBEAT'
  | 'SYNC_RUN_LIMIT'
  | 'SYNC_ASK_AGAIN'
  | 'ORDER_WATCH_EVERY'
  | 'MEDIA_SWEEP_EVERY'
>;

/** Intervals come from the environment, other values from the tables above. */
export function schedulePlan(env: ScheduleEnv): SchedulePlan {
  const job = (name: Job): ScheduleInterval => {
    const { every, offsetShare, catchupMs } = JOBS[name];
    return buildInterval(env[every], offsetShare, catchupMs);
  };

  const night = { timeZone: env.SYNC_TIME_ZONE, catchupMs: NIGHTLY_CATCHUP_MS, jitterMs: MINUTE };

  return {
    jobs: {
      ORGANIZATIONS: job('ORGANIZATIONS'),
      TERMINALS: job('TERMINALS'),
      MENU_LIST: job('MENU_LIST'),
      MENU: job('MENU'),
      STOP_LIST: job('STOP_LIST'),
      ZONES: job('ZONES'),
    },
    menuFull: { ...env.SYNC_MENU_FULL_AT, ...night },
    connectionWorkflows: [
      {
        times: { ...env.GIFTS_COMPARED_AT, ...night },
        capability: 'compensation',
        start: (connectionId, queues) =>
          buildStart(giftReconciliationWorkflow, {
            connectionId,
            timeZone: night.timeZone,
            queues: orderQueues(queues),
          }),
      },
    ],
    // Runs between stop-list polls, which call the ERP for the same connection.
    orderWatch: buildInterval(env.ORDER_WATCH_EVERY, 1 / 2, MINUTE),
    mediaSweep: buildInterval(env.MEDIA_SWEEP_EVERY, 0, MINUTE),
    timings: importTimings(env),
  };
}

const buildStart = <Input extends object>(workflow: WorkflowWith<Input>, input: Input) => ({
  type: workflow.type,
  workflowId: workflow.id(input),
  input,
});

function buildInterval(wantedMs: number, offsetShare: number, catchupMs: number): ScheduleInterval {
  const everyMs = Math.max(SHORTEST_MS, wantedMs);
  const seconds = (ms: number): number => Math.floor(ms / SECOND) * SECOND;

  return {
    everyMs,
    offsetMs: seconds(everyMs * offsetShare),
    jitterMs: seconds(everyMs * JITTER_SHARE),
    catchupMs,
  };
}
