import { ApplicationFailureCategory } from '@temporalio/common';
import { ApplicationFailure } from '@temporalio/workflow';
import type { FieldError } from '../../kernel/pure/field-errors.ts';
import { problemSentence } from '../../kernel/pure/problem-sentence.ts';
import type { Answer, Rejection } from '../../kernel/pure/rejection.ts';

/**
 * The failure of an update: its message is the sentence of the API (rule OPS-184). Benign, because
 * the execution continues.
 */
export const rejection = ({ refusal, kind }: Rejection): ApplicationFailure =>
  ApplicationFailure.create({
    message: refusal,
    type: kind,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });

/** For validators: rejects an update with these errors; accepts it if there are none. */
export function rejectInvalid(errors: FieldError[]): void {
  if (errors.length > 0) throw rejection({ refusal: problemSentence('validation', { errors }), kind: 'validation' });
}

/** The result of a command that an activity ran for an operator; throws its rejection. */
export function resultOf<Result extends object>(answer: Answer<Result>): Omit<Result, 'refusal'> {
  if (answer.refusal !== null) throw rejection(answer);
  const { refusal: _none, ...result } = answer;
  return result;
}
