import { Migration } from '@mikro-orm/migrations';

/** Adds what staff find orders by: the number of the ERP and a digest of the phone (ORD-133). */
export class Migration20261129124000_order_search extends Migration {
  override up(): void {
    this.addSql('alter table customer_order add column erp_number text');
    this.addSql('alter table personal_data add column phone_digest text');
  }

  override down(): void {
    this.addSql('alter table personal_data drop column phone_digest');
    this.addSql('alter table customer_order drop column erp_number');
  }
}
