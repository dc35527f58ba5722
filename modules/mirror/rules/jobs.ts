/** Import jobs in the order in which one connection runs them (rule MIR-34). */
export const JOBS = ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'MENU', 'STOP_LIST', 'ZONES'] as const;
export type Job = (typeof JOBS)[number];

/** Jobs that the loop of a connection polls (rule OPS-105); ORDERS are no import. */
export const POLL_JOBS = ['STOP_LIST', 'MENU', 'ORDERS'] as const;
export type PollJob = (typeof POLL_JOBS)[number];

/** Jobs that operators can pause (rule MIR-37). */
export const PAUSABLE_JOBS = [...JOBS, 'ORDERS'] as const;
export type PausableJob = (typeof PAUSABLE_JOBS)[number];

/**
 * FULL deletes what vanished; INCREMENTAL sends the saved revision and never deletes; PLAN computes
 * what a full import would do and changes nothing. Only MENU supports INCREMENTAL and PLAN.
 */
export const RUN_MODES = ['FULL', 'INCREMENTAL', 'PLAN'] as const;
export type RunMode = (typeof RUN_MODES)[number];
/** Modes that write the mirror. */
export type ImportMode = Exclude<RunMode, 'PLAN'>;

/** The triggers of a run. */
export const RUN_TRIGGERS = ['SCHEDULE', 'MANUAL', 'WEBHOOK', 'EVENT'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** Statuses of a sync run (rule MIR-1). */
export const RUN_STATUSES = ['RUNNING', 'SUCCESS', 'SKIPPED', 'FAILED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * The stages of a running import: its record, the answers of the ERP, the one transaction that
 * writes them, the end of its record.
 */
export const IMPORT_STAGES = ['STARTING', 'FETCHING', 'APPLYING', 'CLOSING'] as const;
export type ImportStage = (typeof IMPORT_STAGES)[number];

/** The moves of a sync run (rule MIR-1): a run ends once and never changes afterwards. */
export const RUN_TRANSITIONS = {
  RUNNING: ['SUCCESS', 'SKIPPED', 'FAILED'],
  SUCCESS: [],
  SKIPPED: [],
  FAILED: [],
} as const satisfies Record<string, readonly string[]>;

/** The statuses from which a run may move to `status`; none for the status it begins with. */
export function statusesBefore(status: keyof typeof RUN_TRANSITIONS): string[] {
  return Object.entries(RUN_TRANSITIONS).flatMap(([from, targets]) =>
    (targets as readonly string[]).includes(status) ? [from] : [],
  );
}
