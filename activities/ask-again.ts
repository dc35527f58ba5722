import { isImportRefused, isListRefusal } from '../modules/mirror/import-refused.ts';

/** The list would remove too much, so the run requests it again (rule MIR-45). */
export type AskAgain = { outcome: 'ASK_AGAIN' };

/** Returns ASK_AGAIN for the first rejection of a list in a run. */
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
