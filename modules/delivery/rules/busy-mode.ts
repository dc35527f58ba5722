import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';
import { exactMoments } from '../../../kernel/pure/wall-time.ts';
import { localTime, momentText } from './schedule.ts';
import { MINUTE } from './status.ts';

const LONGEST_MS = 24 * 60 * MINUTE;
/** A longer wait is a mistake or a past time. */
const LONGEST_WALL_CLOCK_MS = 12 * 60 * MINUTE;
const WALL_CLOCK = /^\d{2}:\d{2}$/;

/**
 * Returns the end of a busy mode in ms, or the error of the field (FUL-68, FUL-90). `HH:MM` is the
 * next such local time, at most 12 hours ahead; moments with an offset are at most 24 hours ahead.
 */
export function busyUntil(text: string, now: number, timeZone: string): number | FieldError {
  if (WALL_CLOCK.test(text)) {
    const next = nextWallClock(text, now, timeZone);
    if (next <= now + LONGEST_WALL_CLOCK_MS) return next;
    const moment = momentText(next, timeZone);

    return fieldError(
      'until',
      'max',
      `The next ${text} is ${moment}, more than 12 hours ahead. Send that moment instead.`,
    );
  }

  const until = Date.parse(text);
  if (Number.isNaN(until))
    return fieldError('until', 'invalid', 'Must be `HH:MM` or a moment with its offset.');
  const moment = momentText(until, timeZone);
  if (until <= now)
    return fieldError('until', 'min', `Must be in the future, but ${moment} has passed.`);
  if (until > now + LONGEST_MS)
    return fieldError('until', 'max', `Must be within 24 hours, but ${moment} is later.`);

  return until;
}

/** Skipped times move by the gap; repeated times use the second (FUL-3). */
function nextWallClock(text: string, now: number, timeZone: string): number {
  const today = localTime(now, timeZone).toPlainDate();
  const momentOn = (date: Temporal.PlainDate): number => {
    const wall = date.toPlainDateTime(Temporal.PlainTime.from(text));
    return exactMoments(wall, timeZone).at(-1) ?? wall.toZonedDateTime(timeZone).epochMilliseconds;
  };
  const ofToday = momentOn(today);

  return ofToday > now ? ofToday : momentOn(today.add({ days: 1 }));
}
