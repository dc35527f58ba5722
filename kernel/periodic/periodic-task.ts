/** Work that processes repeat without a workflow: one at a time of each name, in any process. */
export type PeriodicTask = {
  /** Unique. The part before a slash is the kind, which labels metrics: `stop-list/3`. */
  name: string;
  /** Length of an interval; milliseconds. */
  everyMs: number;
  /** Part of an interval by which the task is shifted; milliseconds. */
  offsetMs: number;
  /** Runs the task at once if it has no row yet, instead of in the next interval. */
  isImmediate: boolean;
  /** Idempotent: if a process dies or a run is aborted, another run follows. */
  run: (signal: AbortSignal) => Promise<unknown>;
};

/** Tasks that share slots: at most `slots` of them run at once in one process. */
export type TaskLane = {
  slots: number;
  /** Time after which a run is aborted; milliseconds. */
  limitMs: number;
  tasks: () => readonly PeriodicTask[] | Promise<readonly PeriodicTask[]>;
};

/** The kind of a task, from its name. */
export const kindOf = (name: string): string => name.split('/', 1)[0]!;
