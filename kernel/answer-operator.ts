import { systemActor, type Actor } from './actor.ts';
import { isProblem } from './problem.ts';
import { problemSentence } from './pure/problem-sentence.ts';
import type { Answer } from './pure/rejection.ts';

/** Returns the audit actor of an operator in Temporal (OPS-184). */
export const temporalActor = (by: string): Actor => systemActor(`Temporal: ${by.trim()}`);

/**
 * Runs a command for an operator in Temporal. Returns a problem as a result with the API's
 * sentence; rethrows other errors.
 */
export async function answerOperator<Result extends object>(
  command: () => Promise<Result>,
): Promise<Answer<Result>> {
  try {
    return { ...(await command()), refusal: null };
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { refusal: problemSentence(error.kind, error.details), kind: error.kind };
  }
}
