import type { Queues } from '../../../kernel/pure/queues.ts';
import type { Job } from '../rules/jobs.ts';
import type { ImportTimings } from '../messages/sync.ts';

/** The interval of a schedule and its policy for missed times; milliseconds. */
export type ScheduleInterval = {
  everyMs: number;
  /** Shifts the job inside its interval, so that jobs run in their order (rule MIR-34). */
  offsetMs: number;
  /** Spreads the executions of many connections. */
  jitterMs: number;
  /** Actions later than this are not made up for. */
  catchupMs: number;
};

/** A time of every day, in a time zone, and the handling of missed days; milliseconds. */
export type DailyTime = {
  hour: number;
  minute: number;
  timeZone: string;
  catchupMs: number;
  jitterMs: number;
};

/** A workflow that runs for each connection and belongs to a module above this one. */
export type ConnectionWorkflow = {
  times: ScheduleInterval | DailyTime;
  /** The search attribute that operators find it by. */
  capability: string;
  start: (connectionId: number, queues: Queues) => { type: string; workflowId: string; input: object };
};

/** Everything about schedules that is not a row: data of `modules/schedules.ts`. */
export type SchedulePlan = {
  /** Menus and stop-lists are polled without a schedule of Temporal (rule OPS-105). */
  jobs: Readonly<Record<Job, ScheduleInterval>>;
  menuFull: DailyTime;
  connectionWorkflows: readonly ConnectionWorkflow[];
  /** Interval at which the orders of a connection are polled. */
  orderWatch: ScheduleInterval;
  mediaSweep: ScheduleInterval;
  timings: ImportTimings;
};
