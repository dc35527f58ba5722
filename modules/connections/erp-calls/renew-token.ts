import type { ErpClient } from '../../../erp/client.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import { loggable, type Log } from '../../../platform/log.ts';

/** Reported already, or begun between the read and the call. */
const KNOWN = new Set(['CREDENTIALS_REFUSED', 'DISABLED', 'OWNER_INACTIVE']);

/**
 * Renews a token that expires soon (rule ERP-1). Never throws: a failure is logged, and the next
 * poll tries again. Idempotent.
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
