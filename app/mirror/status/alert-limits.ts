import type { Job } from '../../../contracts/jobs.ts';

/** After how many seconds without a success an import raises an alert (rule OPS-6); null for jobs without an alert. */
export const ALERT_AFTER_SECONDS = {
  ORGANIZATIONS: null,
  TERMINALS: null,
  MENU_LIST: null,
  MENU: 1800,
  STOP_LIST: 300,
} as const satisfies Record<Job, number | null>;
