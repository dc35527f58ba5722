import type { Database } from '../../platform/db/database.ts';
import type { ErpClient } from '../../erp/client.ts';
import type { Failpoint } from '../../platform/failpoint.ts';
import type { Metrics } from '../../platform/metrics.ts';

/** What the import use cases need. Everything else they read from rows. */
export type MirrorDeps = {
  db: Database;
  erp: ErpClient;
  metrics: Pick<Metrics, 'erpSyncDuration' | 'erpSyncItems'>;
  failpoint: Failpoint;
};
