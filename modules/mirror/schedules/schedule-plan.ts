import type { Queues } from '../../../kernel/pure/queues.ts';
import type { Job } from '../rules/jobs.ts';
import type { ImportTimings } from '../messages/sync.ts';

export type ScheduleInterval = {
  everyMs: number;
  /** Makes jobs run in order (MIR-34). */
  offsetMs: number;
  jitterMs: number;
  /** Later actions are skipped. */
  catchupMs: number;
};

export type DailyTime = {
  hour: number;
  minute: number;
  timeZone: string;
  catchupMs: number;
  jitterMs: number;
};

/** For modules above this one. */
export type ConnectionWorkflow = {
  times: ScheduleInterval | DailyTime;
  capability: string;
  start: (
    connectionId: number,
    queues: Queues,
  ) => { type: string; workflowId: string; input: object };
};

/** Data of `modules/schedules.ts`. */
export type SchedulePlan = {
  /** Menus and stop-lists are polled without a schedule (OPS-105). */
  jobs: Readonly<Record<Job, ScheduleInterval>>;
  menuFull: DailyTime;
  connectionWorkflows: readonly ConnectionWorkflow[];
  orderWatch: ScheduleInterval;
  mediaSweep: ScheduleInterval;
  timings: ImportTimings;
};
