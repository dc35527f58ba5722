import type { Job } from '../../../kernel/pure/jobs.ts';
import type { ImportTimings } from '../messages/sync.ts';

/** How often something happens and what becomes of times that were missed; milliseconds. */
export type ScheduleInterval = {
  everyMs: number;
  /** Shifts the job inside its interval, so that jobs run in their order (rule MIR-34). */
  offsetMs: number;
  /** Spreads the executions of many connections. */
  jitterMs: number;
  /** Actions later than this are not made up for. */
  catchupMs: number;
};

/** Everything about schedules that is not a row: data of `workers/schedules.ts`. */
export type SchedulePlan = {
  jobs: Readonly<Record<Job, ScheduleInterval>>;
  menuFull: { hour: number; minute: number; timeZone: string; catchupMs: number; jitterMs: number };
  /** In the time zone of `menuFull`; missed times are made up for as long. */
  giftReconciliation: { hour: number; minute: number };
  orderWatch: ScheduleInterval;
  outboxSweep: ScheduleInterval;
  reconcile: ScheduleInterval;
  mediaSweep: ScheduleInterval;
  timings: ImportTimings;
};
