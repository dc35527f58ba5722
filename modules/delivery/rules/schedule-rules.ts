import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';
import type { DateException, DayWindow, RegularWindow } from './schedule.ts';

const DAY = 24 * 60;
const WEEK = 7 * DAY;
const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Returns minutes; zero or less for an invalid window. */
function lengthOf({ opensAt, closesAt, crossesMidnight }: DayWindow): number {
  return minutes(closesAt) - minutes(opensAt) + (crossesMidnight ? DAY : 0);
}

/** FUL-1. */
function impossible(field: string, window: DayWindow): FieldError[] {
  if (window.crossesMidnight && lengthOf(window) > DAY) {
    return [
      fieldError(
        `${field}.closesAt`,
        'invalid',
        'A window is open for 24 hours at most: it must close before it opens again.',
      ),
    ];
  }

  if (lengthOf(window) > 0) return [];

  return [
    fieldError(
      `${field}.closesAt`,
      'invalid',
      'The window closes before it opens. Does it cross midnight?',
    ),
  ];
}

type Placed = { field: string; from: number; to: number };

/** Reports the second of two overlapping windows. `cycle` is the length of the week. */
function overlaps(placed: readonly Placed[], cycle: number | null): FieldError[] {
  return placed.flatMap((entry, at) => {
    const shifts = cycle === null ? [0] : [-cycle, 0, cycle];
    const rival = placed
      .slice(0, at)
      .find((other) =>
        shifts.some((shift) => entry.from < other.to + shift && other.from + shift < entry.to),
      );
    if (rival === undefined) return [];

    return [
      fieldError(`${entry.field}.opensAt`, 'invalid', `The window overlaps with ${rival.field}.`),
    ];
  });
}

export function scheduleErrors(windows: readonly RegularWindow[]): FieldError[] {
  const fields = windows.map((window, at) => ({ window, field: `windows.${at}` }));
  const wrong = fields.flatMap(({ window, field }) => impossible(field, window));
  if (wrong.length > 0) return wrong;
  const channels = Map.groupBy(fields, ({ window }) => window.channel);

  return [...channels.values()].flatMap((ofChannel) => {
    const placed = ofChannel.map(({ window, field }): Placed => {
      const from = (window.dayOfWeek - 1) * DAY + minutes(window.opensAt);
      return { field, from, to: from + lengthOf(window) };
    });

    return overlaps(placed, WEEK);
  });
}

/** Returns errors of the windows of an exception. Only special hours may have windows. */
export function exceptionErrors({
  kind,
  windows,
}: Pick<DateException, 'kind' | 'windows'>): FieldError[] {
  if (kind === 'CLOSED') {
    return windows.length === 0
      ? []
      : [fieldError('windows', 'not_supported', 'A closed day has no windows.')];
  }

  if (windows.length === 0)
    return [fieldError('windows', 'required', 'Special hours need at least one window.')];
  const wrong = windows.flatMap((window, at) => impossible(`windows.${at}`, window));
  if (wrong.length > 0) return wrong;
  const placed = windows.map((window, at): Placed => {
    const from = minutes(window.opensAt);
    return { field: `windows.${at}`, from, to: from + lengthOf(window) };
  });

  return overlaps(placed, null);
}
