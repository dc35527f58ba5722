import { Migration } from '@mikro-orm/migrations';

/** Adds the time of the last separate read of an order that its restaurant has (rule ORD-99). */
export class Migration20261128013100_order_followed extends Migration {
  override up(): void {
    this.addSql('alter table customer_order add column followed_at timestamptz');
  }

  override down(): void {
    this.addSql('alter table customer_order drop column followed_at');
  }
}
