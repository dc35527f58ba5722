import { Migration } from '@mikro-orm/migrations';

/**
 * Adds when an order that its restaurant has was last read beside the poll of its connection (rule
 * ORD-99).
 */
export class Migration20261128013100_order_followed extends Migration {
  override up(): void {
    this.addSql('alter table customer_order add column followed_at timestamptz');
  }

  override down(): void {
    this.addSql('alter table customer_order drop column followed_at');
  }
}
