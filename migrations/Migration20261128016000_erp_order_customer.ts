import { Migration } from '@mikro-orm/migrations';

/** Adds the index by which orders without a phone are found by the customer of the ERP. */
export class Migration20261128016000_erp_order_customer extends Migration {
  override up(): void {
    this.addSql(`
      create index erp_order_customer on erp_order (erp_customer_id, connection_id)
       where phone_digest is null and erp_customer_id is not null`);
  }

  override down(): void {
    this.addSql('drop index erp_order_customer');
  }
}
