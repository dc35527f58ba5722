import { isImportRefused, isListRefusal } from '../modules/mirror/import-refused.ts';

/** A list that would remove much: the run requests it again (rule MIR-45). */
export type AskAgain = { outcome: 'ASK_AGAIN' };

/** Turns the first rejection of a list in a run into a second request. */
export async function askedTwice<Outcome>(
  { isSecond = false }: { isSecond?: boolean },
  work: () => Promise<Outcome>,
): Promise<Outcome | AskAgain> {
  try {
    return await work();
  } catch (error) {
    if (isSecond || !isImportRefused(error) || !isListRefusal(error.reason)) throw error;
    return { outcome: 'ASK_AGAIN' };
  }
}
