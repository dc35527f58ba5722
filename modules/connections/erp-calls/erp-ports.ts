import type { Circuits, Limiter, TokenStore } from '../../../erp/ports.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Database } from '../../../platform/db/database.ts';
import { createErpCircuits } from './erp-circuits.ts';
import { createErpLimiter } from './erp-limiter.ts';
import { createErpTokenStore } from './erp-token-store.ts';

/** Creates the database ports of the ERP client. If `perSecond` is null, there is no limit. */
export function createErpPorts(options: {
  db: Database;
  secrets: SecretBox;
  perSecond: number | null;
}): {
  tokens: TokenStore;
  limiter: Limiter;
  circuits: Circuits;
} {
  return {
    tokens: createErpTokenStore(options),
    limiter: createErpLimiter(options),
    circuits: createErpCircuits(options),
  };
}
