import type { Channel, RegularWindow } from './schedule.ts';

/** One line of the opening hours as guests read them: `{ days: 'Mon–Fri', delivery: '10:00–23:00', pickup: '10:00–22:30' }`. */
export type ScheduleLine = { days: string; delivery: string; pickup: string };

/** The words of a language that the opening hours need: the days from Monday on, and what a day without hours says. */
export type ScheduleWords = { weekdays: readonly string[]; closed: string; allDay: string };

const ALL_DAY = '00:00–00:00';

/**
 * The regular opening hours in the order of the week; neighbouring days with the same hours share a line. Pickup without hours
 * of its own has those of the restaurant. Exceptions are not shown here (rule FUL-7).
 */
export function displaySchedule(windows: readonly RegularWindow[], words: ScheduleWords): ScheduleLine[] {
  const pickupChannel = windows.some((window) => window.channel === 'PICKUP') ? 'PICKUP' : 'DINE_IN';
  const hours = (dayOfWeek: number, channel: Channel): string => {
    const ofDay = windows
      .filter((window) => window.dayOfWeek === dayOfWeek && window.channel === channel)
      .map(({ opensAt, closesAt }) => `${opensAt}–${closesAt}`)
      .toSorted();
    return ofDay.map((text) => (text === ALL_DAY ? words.allDay : text)).join(', ') || words.closed;
  };
  const lines: { first: number; last: number; delivery: string; pickup: string }[] = [];
  for (let day = 1; day <= 7; day += 1) {
    const [delivery, pickup] = [hours(day, 'DELIVERY'), hours(day, pickupChannel)];
    const last = lines.at(-1);
    if (last !== undefined && last.delivery === delivery && last.pickup === pickup) last.last = day;
    else lines.push({ first: day, last: day, delivery, pickup });
  }
  const name = (day: number) => words.weekdays[day - 1]!;
  return lines.map(({ first, last, delivery, pickup }) => ({
    days: first === last ? name(first) : `${name(first)}–${name(last)}`,
    delivery,
    pickup,
  }));
}
