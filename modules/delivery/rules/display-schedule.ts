import type { RegularWindow } from './schedule.ts';
import { commonSpans, joinSpans, type Span } from '../../../kernel/pure/spans.ts';

/** `{ days: 'Mon–Fri', delivery: '10:00–23:00', pickup: '10:00–22:30' }`. */
export type ScheduleLine = { days: string; delivery: string; pickup: string };

/** `weekdays` begins with Monday. */
export type ScheduleWords = { weekdays: readonly string[]; closed: string; allDay: string };

const ALL_DAY = '00:00–00:00';
const DAY = 24 * 60;
const WEEK = 7 * DAY;

function toSpan({ dayOfWeek, opensAt, closesAt }: RegularWindow): Span {
  const [opens, closes] = [opensAt, closesAt].map(
    (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)),
  ) as [number, number];
  const from = (dayOfWeek - 1) * DAY + opens;
  return { from, to: from + (closes > opens ? closes - opens : closes - opens + DAY) };
}

const clock = (minute: number): string => {
  const ofDay = ((minute % DAY) + DAY) % DAY;
  return [Math.floor(ofDay / 60), ofDay % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
};

const formatSpan = ({ from, to }: Span): string => `${clock(from)}–${clock(to)}`;

/**
 * Returns the regular hours for guests, without exceptions (FUL-7). Pickup is limited to the hours
 * of the restaurant.
 */
export function displaySchedule(
  windows: readonly RegularWindow[],
  words: ScheduleWords,
): ScheduleLine[] {
  const listSpans = (channel: RegularWindow['channel'], dayOfWeek?: number): Span[] =>
    windows
      .filter(
        (window) =>
          window.channel === channel && (dayOfWeek === undefined || window.dayOfWeek === dayOfWeek),
      )
      .map(toSpan);

  const dineIn = listSpans('DINE_IN');
  const restaurant = dineIn.length > 0 ? dineIn : listSpans('PICKUP');
  // A window on Sunday may end on Monday.
  const ofRestaurant = joinSpans(
    [-WEEK, 0, WEEK].flatMap((shift) =>
      restaurant.map(({ from, to }) => ({ from: from + shift, to: to + shift })),
    ),
  );

  const hasPickup = listSpans('PICKUP').length > 0;
  const hours = (spans: readonly Span[]): string => {
    const texts = spans.toSorted((a, b) => a.from - b.from).map(formatSpan);
    return texts.map((text) => (text === ALL_DAY ? words.allDay : text)).join(', ') || words.closed;
  };

  const listPickupSpans = (day: number) =>
    hasPickup ? commonSpans(listSpans('PICKUP', day), ofRestaurant) : listSpans('DINE_IN', day);
  const lines: { first: number; last: number; delivery: string; pickup: string }[] = [];

  for (let day = 1; day <= 7; day += 1) {
    const [delivery, pickup] = [hours(listSpans('DELIVERY', day)), hours(listPickupSpans(day))];
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
