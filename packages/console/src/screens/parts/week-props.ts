import type { HoursWindow } from '../../pure/week.ts';

/** The windows of one channel, and a function that replaces all windows of the week. */
export type WeekProps = {
  windows: readonly HoursWindow[];
  channel: HoursWindow['channel'];
  change: (windows: readonly HoursWindow[]) => void;
};
