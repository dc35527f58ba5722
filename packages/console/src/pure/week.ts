/** 1 is Monday. */
export const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const DAY_MINUTES = 1_440;
/** In minutes. */
export const STEP = 15;

/** A window that may end on the next day. */
export type HoursWindow = {
  dayOfWeek: number;
  channel: 'DELIVERY' | 'PICKUP' | 'DINE_IN';
  opensAt: string;
  closesAt: string;
  crossesMidnight: boolean;
};

/** Parses a time such as `09:30` to minutes since midnight. */
export const parseMinutes = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const formatTime = (minutes: number): string =>
  `${String(Math.floor((minutes % DAY_MINUTES) / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Returns minutes of the day; an end after midnight is above 1,440. */
export function toSpan({
  opensAt,
  closesAt,
  crossesMidnight,
}: HoursWindow): [from: number, to: number] {
  return [parseMinutes(opensAt), parseMinutes(closesAt) + (crossesMidnight ? DAY_MINUTES : 0)];
}

/** Returns the window with these times, at least one step and at most a day long. */
export function withSpan(window: HoursWindow, from: number, to: number): HoursWindow {
  const begin = Math.min(Math.max(0, from), DAY_MINUTES - STEP);
  const end = Math.min(Math.max(begin + STEP, to), begin + DAY_MINUTES);

  return {
    ...window,
    opensAt: formatTime(begin),
    closesAt: formatTime(end),
    crossesMidnight: end >= DAY_MINUTES,
  };
}

/** Moves an edge by steps. */
export function edgeMoved(
  window: HoursWindow,
  edge: 'opens' | 'closes',
  steps: number,
): HoursWindow {
  const [from, to] = toSpan(window);
  return edge === 'opens'
    ? withSpan(window, Math.min(from + steps * STEP, to - STEP), to)
    : withSpan(window, from, to + steps * STEP);
}

export const listWindows = (
  windows: readonly HoursWindow[],
  day: number,
  channel: string,
): HoursWindow[] =>
  windows
    .filter((window) => window.dayOfWeek === day && window.channel === channel)
    .toSorted((one, other) => parseMinutes(one.opensAt) - parseMinutes(other.opensAt));

export function copiedToAllDays(
  windows: readonly HoursWindow[],
  day: number,
  channel: string,
): HoursWindow[] {
  const source = listWindows(windows, day, channel);
  const others = windows.filter((window) => window.channel !== channel);

  return [
    ...others,
    ...DAYS.flatMap((dayOfWeek) => source.map((window) => ({ ...window, dayOfWeek }))),
  ];
}

export type DayHours = Pick<HoursWindow, 'opensAt' | 'closesAt' | 'crossesMidnight'>;

/** Formats lines such as `10:00–22:00`. */
export const hoursLines = (windows: readonly DayHours[]): string[] =>
  windows.map(({ opensAt, closesAt }) => `${opensAt.slice(0, 5)}–${closesAt.slice(0, 5)}`);

const HOURS_LINE = /^([01]?\d|2[0-3]):([0-5]\d)\s*[-–—]\s*([01]?\d|2[0-3]):([0-5]\d)$/;

/** Parses such a line; null if invalid. An end before the beginning is on the next day. */
export function hoursOfLine(line: string): DayHours | null {
  const [, fromHour, fromMinute, toHour, toMinute] = HOURS_LINE.exec(line.trim()) ?? [];
  if (fromHour === undefined) return null;
  const opensAt = `${fromHour.padStart(2, '0')}:${fromMinute}`;
  const closesAt = `${toHour!.padStart(2, '0')}:${toMinute}`;
  return { opensAt, closesAt, crossesMidnight: parseMinutes(closesAt) <= parseMinutes(opensAt) };
}

const CHANNELS = ['DELIVERY', 'PICKUP', 'DINE_IN'] as const;

/** Merges the days that a person changed, by channel, into the newest week. */
export function mergedWeek(
  before: readonly HoursWindow[],
  mine: readonly HoursWindow[],
  newest: readonly HoursWindow[],
): HoursWindow[] {
  const isChanged = (day: number, channel: string) =>
    JSON.stringify(listWindows(before, day, channel)) !==
    JSON.stringify(listWindows(mine, day, channel));
  return CHANNELS.flatMap((channel) =>
    DAYS.flatMap((day) => listWindows(isChanged(day, channel) ? mine : newest, day, channel)),
  );
}
