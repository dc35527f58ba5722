import { fieldError, type FieldError } from '../../../kernel/pure/field-errors.ts';
import { exceptionErrors } from './schedule-rules.ts';
import type { Channel, DayWindow, ExceptionKind } from './schedule.ts';

/** `from` and `to` are in ms. */
export type ExceptionFields = {
  kind: ExceptionKind;
  channel: Channel | null;
  date: string | null;
  windows: readonly DayWindow[];
  from: number | null;
  to: number | null;
};

const unsupportedErrors = (field: string, isGiven: boolean, message: string): FieldError[] =>
  isGiven ? [fieldError(field, 'not_supported', message)] : [];

function intakeStopErrors({ channel, date, windows, from, to }: ExceptionFields): FieldError[] {
  const noEnd = from === null || to === null || from < to;
  return [
    ...unsupportedErrors(
      'channel',
      channel === 'DINE_IN',
      'Orders are taken for DELIVERY and PICKUP.',
    ),
    ...unsupportedErrors('date', date !== null, 'A stop of intake has a start and an end.'),
    ...unsupportedErrors('windows', windows.length > 0, 'A stop of intake has no windows.'),
    ...(from === null ? [fieldError('from', 'required', 'A stop of intake needs a start.')] : []),
    ...(noEnd ? [] : [fieldError('to', 'invalid', 'Intake must continue after it has stopped.')]),
  ];
}

/** Returns the faults of an exception (FUL-14). */
export function scheduleExceptionErrors(exception: ExceptionFields): FieldError[] {
  const { kind, date, windows, from, to } = exception;
  if (kind === 'INTAKE_STOPPED') return intakeStopErrors(exception);

  return [
    ...(date === null ? [fieldError('date', 'required', 'It needs a date.')] : []),
    ...unsupportedErrors('from', from !== null, 'It needs a date.'),
    ...unsupportedErrors('to', to !== null, 'It needs a date.'),
    ...exceptionErrors({ kind, windows }),
  ];
}
