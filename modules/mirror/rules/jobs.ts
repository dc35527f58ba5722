/** A connection runs jobs in this order (MIR-34). */
export const JOBS = [
  'ORGANIZATIONS',
  'TERMINALS',
  'MENU_LIST',
  'MENU',
  'STOP_LIST',
  'ZONES',
] as const;

export type Job = (typeof JOBS)[number];

/** Jobs that the loop of a connection polls (OPS-105). ORDERS is not an import. */
export const POLL_JOBS = ['STOP_LIST', 'MENU', 'ORDERS'] as const;
export type PollJob = (typeof POLL_JOBS)[number];

/** MIR-37. */
export const PAUSABLE_JOBS = [...JOBS, 'ORDERS'] as const;
export type PausableJob = (typeof PAUSABLE_JOBS)[number];

/**
 * FULL deletes missing rows. INCREMENTAL sends the saved revision and never deletes. PLAN changes
 * nothing. INCREMENTAL and PLAN apply only to MENU.
 */
export const RUN_MODES = ['FULL', 'INCREMENTAL', 'PLAN'] as const;
export type RunMode = (typeof RUN_MODES)[number];
export type ImportMode = Exclude<RunMode, 'PLAN'>;

export const RUN_TRIGGERS = ['SCHEDULE', 'MANUAL', 'WEBHOOK', 'EVENT'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** MIR-1. */
export const RUN_STATUSES = ['RUNNING', 'SUCCESS', 'SKIPPED', 'FAILED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const IMPORT_STAGES = ['STARTING', 'FETCHING', 'APPLYING', 'CLOSING'] as const;
export type ImportStage = (typeof IMPORT_STAGES)[number];

/** MIR-1. */
export const RUN_TRANSITIONS = {
  RUNNING: ['SUCCESS', 'SKIPPED', 'FAILED'],
  SUCCESS: [],
  SKIPPED: [],
  FAILED: [],
} as const satisfies Record<string, readonly string[]>;

export function statusesBefore(status: keyof typeof RUN_TRANSITIONS): string[] {
  return Object.entries(RUN_TRANSITIONS).flatMap(([from, targets]) =>
    (targets as readonly string[]).includes(status) ? [from] : [],
  );
}
