/** The moves of a sync run (spec 2, States and transitions): a run ends once and never changes afterwards. */
export const RUN_TRANSITIONS = {
  RUNNING: ['SUCCESS', 'SKIPPED', 'FAILED'],
  SUCCESS: [],
  SKIPPED: [],
  FAILED: [],
} as const satisfies Record<string, readonly string[]>;
