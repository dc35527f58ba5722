import { ApplicationFailureCategory } from '@temporalio/common';
import { ApplicationFailure } from '@temporalio/workflow';
import type { FieldError } from '../../kernel/pure/field-errors.ts';
import { problemSentence } from '../../kernel/pure/problem-sentence.ts';
import type { Answer, Rejection } from '../../kernel/pure/rejection.ts';

/**
 * Creates the failure of an update with the API's sentence (OPS-184). It is benign, because the
 * execution continues.
 */
export const rejection = ({ refusal, kind }: Rejection): ApplicationFailure =>
  ApplicationFailure.create({
    message: refusal,
    type: kind,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });

export function rejectInvalid(errors: FieldError[]): void {
  if (errors.length > 0)
    throw rejection({ refusal: problemSentence('validation', { errors }), kind: 'validation' });
}

export function unwrapResult<Result extends object>(
  answer: Answer<Result>,
): Omit<Result, 'refusal'> {
  if (answer.refusal !== null) throw rejection(answer);
  const { refusal: _none, ...result } = answer;
  return result;
}
