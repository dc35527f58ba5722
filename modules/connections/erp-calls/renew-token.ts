import type { ErpClient } from '../../../erp/client.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import { loggable, type Log } from '../../../platform/log.ts';

/** Failures that a notification reports already, or that began between the read and the call. */
const KNOWN = new Set(['CREDENTIALS_REFUSED', 'DISABLED', 'OWNER_INACTIVE']);

/**
 * Renews the token of a connection if it expires soon (rule ERP-1). Never rejects: a failure is
 * logged, and the next poll tries again. A second call leaves a new token alone.
 */
export async function renewToken(
  { erp, log }: { erp: Pick<ErpClient, 'refreshToken'>; log: Log },
  connectionId: number,
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  try {
    await erp.refreshToken(connectionId, options);
  } catch (error) {
    if (isErpFailure(error) && KNOWN.has(error.kind)) return;
    const { kind, status } = isErpFailure(error) ? error : {};
    log.warn(
      { connectionId, kind, status, error: loggable(error) },
      'a token could not be renewed',
    );
  }
}
