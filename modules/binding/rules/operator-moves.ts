import type { FieldError } from '../../../kernel/pure/field-errors.ts';
import {
  operatorInputErrors,
  OPERATOR,
  OWN_ID,
  wordsUpTo,
  type InputOf,
  type OperatorInput,
} from '../../../kernel/pure/operator-input.ts';
import type { IncidentMove } from './incident-states.ts';

/** Characters. */
export const NOTE_LENGTH = 1_000;
/** Characters. */
export const REASON_LENGTH = 500;
/** Limited, so that the incident is not forgotten. */
const LONGEST_SNOOZE_MS = 366 * 24 * 3_600_000;

/** Moves that operators can request in Temporal (BND-21). */
export const OPERATOR_MOVES = {
  dismiss: { by: OPERATOR, note: wordsUpTo(NOTE_LENGTH) },
  snooze: {
    by: OPERATOR,
    note: wordsUpTo(NOTE_LENGTH),
    until: { type: 'string', format: 'date-time' },
  },
  rebind: { by: OPERATOR, note: wordsUpTo(REASON_LENGTH), erpItemSizeId: OWN_ID },
} as const satisfies Partial<Record<IncidentMove, OperatorInput>>;

export type OperatorMove = keyof typeof OPERATOR_MOVES;
export type OperatorMoveInput<Move extends OperatorMove = OperatorMove> = InputOf<
  (typeof OPERATOR_MOVES)[Move]
>;

/** Returns an empty list for a valid {@link OperatorMoveInput}. */
export function operatorMoveErrors(
  move: OperatorMove,
  input: unknown,
  nowMs: number,
): FieldError[] {
  const errors = operatorInputErrors(OPERATOR_MOVES[move], input);
  if (errors.length > 0 || move !== 'snooze') return errors;
  return snoozeErrors((input as OperatorMoveInput<'snooze'>).until, nowMs);
}

/** Requires a time in the future, within a year. */
export function snoozeErrors(until: string, nowMs: number): FieldError[] {
  const leftMs = Date.parse(until) - nowMs;
  if (Number.isNaN(leftMs))
    return [
      { field: 'until', code: 'invalid', message: 'Must be a moment, as 2026-12-01T12:00:00Z' },
    ];

  if (leftMs <= 0) return [{ field: 'until', code: 'min', message: 'Must be in the future' }];
  if (leftMs > LONGEST_SNOOZE_MS)
    return [{ field: 'until', code: 'max', message: 'At most a year away' }];

  return [];
}

export const closedSentence = (resolution: string | null | undefined): string =>
  `The incident is closed: ${resolution ?? 'no reason'}.`;
