import { systemActor, type Actor } from './actor.ts';
import { isProblem } from './problem.ts';
import { problemSentence } from './pure/problem-sentence.ts';
import type { Answer } from './pure/rejection.ts';

/** OPS-184. */
export const temporalActor = (by: string): Actor => systemActor(`Temporal: ${by.trim()}`);

/** Returns problems as a result, with the API's sentence. Rethrows other errors. */
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
