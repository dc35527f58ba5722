import type { ErpClient } from '../../erp/client.ts';
import { isErpFailure } from '../../erp/failure.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../../platform/db/database.ts';

export type RefreshResult = { refreshed: number; skipped: number; failed: number };

/** Failures that a notification reports already, or that began between our list and the call. */
const KNOWN = new Set(['CREDENTIALS_REFUSED', 'DISABLED', 'OWNER_INACTIVE']);

/**
 * Renews the tokens that expire soon, of every connection that may be imported. Connections of
 * inactive owners and rejected credentials are skipped without a call. A failure is logged and
 * counted, and the next import tries again. A second call is harmless: a token that is valid long
 * enough is not renewed (rule ERP-1).
 */
export async function refreshTokens(
  deps: { db: Database; erp: Pick<ErpClient, 'refreshToken'>; log: Log },
  options: { signal?: AbortSignal } = {},
): Promise<RefreshResult> {
  const result: RefreshResult = { refreshed: 0, skipped: 0, failed: 0 };
  const connections = await deps.db.db
    .selectFrom('connection')
    .leftJoin('importable_connection as importable', 'importable.id', 'connection.id')
    .select(['connection.id', 'importable.id as importableId'])
    .where('connection.status', '=', 'ACTIVE')
    .orderBy('connection.id')
    .execute();
  for (const { id, importableId } of connections) {
    if (importableId === null) {
      result.skipped += 1;
      continue;
    }
    try {
      await deps.erp.refreshToken(id, options);
      result.refreshed += 1;
    } catch (error) {
      if (!isErpFailure(error)) throw error;
      if (KNOWN.has(error.kind)) {
        result.skipped += 1;
        continue;
      }
      result.failed += 1;
      deps.log.warn({ connectionId: id, kind: error.kind, status: error.status }, 'a token could not be renewed');
    }
  }
  return result;
}
