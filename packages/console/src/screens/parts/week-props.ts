import type { HoursWindow } from '../../pure/week.ts';

/** `change` replaces all windows of the week. */
export type WeekProps = {
  windows: readonly HoursWindow[];
  channel: HoursWindow['channel'];
  change: (windows: readonly HoursWindow[]) => void;
};
