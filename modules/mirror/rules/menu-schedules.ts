import type { Anomalies } from './anomalies.ts';
import type { CategorySource, MenuSource, PeriodSource } from './menu-source.ts';
import { joinHours, type HoursWindow, type WeeklyHours } from './weekly-hours.ts';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/**
 * Returns a function that returns the hours of a category. Null means all hours (MIR-93), also for
 * an unknown or unreadable schedule.
 */
export function hoursReader(
  { schedules }: Pick<MenuSource, 'schedules'>,
  anomalies: Anomalies,
): (category: CategorySource) => WeeklyHours | null {
  const known = new Map(
    (schedules ?? []).map((schedule) => [schedule.id.toLowerCase(), schedule.periods ?? []]),
  );
  return ({ id, scheduleId }) => {
    const scheduled = scheduleId?.trim().toLowerCase() ?? '';
    if (scheduled === '') return null;
    const periods = known.get(scheduled) ?? [];
    const windows = periods.flatMap((period) => toWindow(period) ?? []);
    if (windows.length < Math.max(1, periods.length)) anomalies.add('SCHEDULE_NOT_READ', id);

    return windows.length === 0 ? null : joinHours(windows);
  };
}

/** A period without weekdays applies to every day. */
function toWindow({ from, to, weekDays }: PeriodSource): HoursWindow | null {
  const [begin, end] = [parseClock(from, 'BEGIN'), parseClock(to, 'END')];
  const days =
    weekDays == null
      ? EVERY_DAY
      : weekDays.map((name) => WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
  if (begin === null || end === null || days.length === 0 || days.includes(0)) return null;

  return { days, from: begin, to: end };
}

const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/;
const [DAY, LAST_MINUTE] = [24 * 60, 24 * 60 - 1];

/** As an end, 23:59 is the end of the day. */
function parseClock(time: string | null | undefined, side: 'BEGIN' | 'END'): string | null {
  const [, hour = '', minute = '', second = '0'] = TIME.exec(time?.trim() ?? '') ?? [];
  if (hour === '' || Number(minute) > 59 || Number(second) > 59) return null;
  const minutes =
    Number(hour) * 60 + Number(minute) + (side === 'END' && Number(second) > 0 ? 1 : 0);
  if (minutes > DAY || (side === 'BEGIN' && minutes === DAY)) return null;
  const shown = side === 'END' && minutes >= LAST_MINUTE ? 0 : minutes;

  return [Math.floor(shown / 60), shown % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
