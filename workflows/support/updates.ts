import { ApplicationFailureCategory } from '@temporalio/common';
import { ApplicationFailure } from '@temporalio/workflow';
import type { FieldError } from '../../kernel/pure/field-errors.ts';
import { problemSentence } from '../../kernel/pure/problem-sentence.ts';
import type { Answer, Refusal } from '../../kernel/pure/refusal.ts';

/**
 * The failure of an update: its message is the sentence of the API (rule OPS-184). Benign, because
 * the execution goes on.
 */
export const refused = ({ refusal, kind }: Refusal): ApplicationFailure =>
  ApplicationFailure.create({
    message: refusal,
    type: kind,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });

/** For validators: rejects an update with these errors; accepts it if there are none. */
export function rejectInvalid(errors: FieldError[]): void {
  if (errors.length > 0) throw refused({ refusal: problemSentence('validation', { errors }), kind: 'validation' });
}

/** The result of a command that an activity ran for an operator; throws its rejection. */
export function resultOf<Result extends object>(answer: Answer<Result>): Omit<Result, 'refusal'> {
  if (answer.refusal !== null) throw refused(answer);
  const { refusal: _none, ...result } = answer;
  return result;
}
