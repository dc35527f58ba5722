import { ApplicationFailureCategory } from '@temporalio/common';
import { ApplicationFailure } from '@temporalio/workflow';

/** Rejects an update before it is accepted: Temporal shows the sentence and records nothing. */
export function rejecting(refusal: string | null): void {
  if (refusal !== null) throw refused(refusal);
}

/** The text of an answer; fails the update with the sentence of a refusal. */
export function orRefused(answer: { text: string } | { refusal: string }): string {
  if ('refusal' in answer) throw refused(answer.refusal);
  return answer.text;
}

const refused = (message: string) =>
  ApplicationFailure.create({
    message,
    type: 'REFUSED',
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
