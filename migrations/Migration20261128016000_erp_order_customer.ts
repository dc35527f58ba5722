import { IndexMigration } from './support/index-migration.ts';

/** Adds the index by which orders without a phone are found by the customer of the ERP. */
export class Migration20261128016000_erp_order_customer extends IndexMigration {
  override readonly indexes = {
    erp_order_customer:
      'erp_order (erp_customer_id, connection_id) where phone_digest is null and erp_customer_id is not null',
  };
}
