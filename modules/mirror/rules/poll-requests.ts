import type { FieldError } from '../../../kernel/pure/field-errors.ts';
import {
  OPERATOR,
  operatorInputErrors,
  OWN_ID,
  wordsUpTo,
  type OperatorInput,
} from '../../../kernel/pure/operator-input.ts';
import { POLL_JOBS } from './jobs.ts';

const JOB = { type: 'string', enum: POLL_JOBS } as const;
const UNTIL = { type: 'string', format: 'date-time' } as const;
const REASON = wordsUpTo(500);

const INPUTS = {
  poll: { job: JOB },
  resume: { job: JOB, by: OPERATOR },
  accept: { runId: OWN_ID, by: OPERATOR, reason: REASON },
} as const satisfies Record<string, OperatorInput>;

/** Returns the errors of an operator's request (OPS-197). */
export const pollRequestErrors = (update: keyof typeof INPUTS, input: unknown): FieldError[] =>
  operatorInputErrors(INPUTS[update], input);

/** Returns the errors of a pause. `now` in Unix ms. */
export function pauseErrors(input: unknown, now: number): FieldError[] {
  const { until } = Object(input) as { until?: unknown };
  const end = until === undefined ? {} : { until: UNTIL };
  const errors = operatorInputErrors({ job: JOB, by: OPERATOR, reason: REASON, ...end }, input);
  if (errors.length > 0 || until === undefined || Date.parse(until as string) > now) return errors;
  return [{ field: 'until', code: 'min', message: 'Must be in the future' }];
}
