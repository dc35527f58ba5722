import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';
import { readings, typedText } from '../../../kernel/pure/typed-text.ts';

export const DAY_MINUTES = 24 * 60;

/** Minutes from local midnight. */
type Fields = {
  startsAt: Date | null;
  endsAt: Date | null;
  fromMinute: number | null;
  toMinute: number | null;
  weekdays: readonly number[] | null;
};

export function discountErrors({
  startsAt,
  endsAt,
  fromMinute,
  toMinute,
  weekdays,
}: Fields): FieldError[] {
  const isPeriod = startsAt === null || endsAt === null || startsAt < endsAt;
  const areHours =
    fromMinute === null || toMinute === null || fromMinute !== toMinute % DAY_MINUTES;
  const areDays = weekdays === null || new Set(weekdays).size === weekdays.length;

  return [
    ...(isPeriod ? [] : [fieldError('endsAt', 'invalid', 'The discount ends before it begins.')]),
    ...(areHours ? [] : [fieldError('toTime', 'invalid', 'The hours end when they begin.')]),
    ...(areDays ? [] : [fieldError('weekdays', 'duplicate', 'A day is named twice.')]),
  ];
}

export function parseMinute(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

/** Converts minutes to a time such as 09:30. */
export function formatTime(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/**
 * Uses capitals and one alphabet per word, preferably Latin (rules ORD-25, HTTP-25). Null if empty.
 */
export function normalCode(code: string | null): string | null {
  const typed = typedText(code ?? '').toLowerCase();
  return typed.replaceAll(/\p{L}+/gu, oneAlphabet).toUpperCase() || null;
}

function oneAlphabet(word: string): string {
  const { latin, cyrillic } = readings(word);
  return latin ?? cyrillic ?? word;
}
