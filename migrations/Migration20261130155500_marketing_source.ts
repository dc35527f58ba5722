import { Migration } from '@mikro-orm/migrations';

/** Adds the marketing source of the ERP that the orders of a connection name (rule ORD-158). */
export class Migration20261130155500_marketing_source extends Migration {
  override up(): void {
    this.addSql('alter table order_sending add column marketing_source_id uuid');
  }

  override down(): void {
    this.addSql('alter table order_sending drop column marketing_source_id');
  }
}
