import { ApplicationFailureCategory } from '@temporalio/common';
import { ApplicationFailure } from '@temporalio/workflow';
import type { FieldError } from '../../kernel/pure/field-errors.ts';
import { problemSentence } from '../../kernel/pure/problem-sentence.ts';
import type { Answer, Rejection } from '../../kernel/pure/rejection.ts';

/**
 * Returns the failure of an update with the API's sentence (OPS-184). Benign: the execution
 * continues.
 */
export const rejection = ({ refusal, kind }: Rejection): ApplicationFailure =>
  ApplicationFailure.create({
    message: refusal,
    type: kind,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });

/** For validators of updates. */
export function rejectInvalid(errors: FieldError[]): void {
  if (errors.length > 0)
    throw rejection({ refusal: problemSentence('validation', { errors }), kind: 'validation' });
}

/** Returns the result of an operator's command, or throws its rejection. */
export function resultOf<Result extends object>(answer: Answer<Result>): Omit<Result, 'refusal'> {
  if (answer.refusal !== null) throw rejection(answer);
  const { refusal: _none, ...result } = answer;
  return result;
}
