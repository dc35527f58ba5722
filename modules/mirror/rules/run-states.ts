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
