import type { ImportResult } from '../../modules/mirror/messages/sync.ts';

/** What an import has ended with: one that failed carries it in the details of its failure. */
export async function importResult(ended: Promise<ImportResult>): Promise<ImportResult> {
  return ended.catch((error: unknown) => {
    const { cause } = error as { cause?: { details?: ImportResult[] } };
    const [result] = cause?.details ?? [];
    if (result === undefined) throw error;
    return result;
  });
}
