import type { ErpClient } from '../../erp/client.ts';
import type { Failpoint } from '../../platform/failpoint.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ErpStreets } from '../delivery/addresses/erp-streets.ts';
import type { MoveDeps } from './order-row.ts';

/** What the use cases on the way of an order to the ERP need. */
export type OrderDeps = {
  db: Database;
  erp: ErpClient;
  secrets: SecretBox;
  erpStreets: ErpStreets;
  failpoint: Failpoint;
} & MoveDeps;
