import { Migration } from '@mikro-orm/migrations';

/** Records that a poll of orders was requested by a webhook (rule ORD-98). */
export class Migration20261201110000_poll_hints extends Migration {
  override up(): void {
    this.addSql('alter table order_poll add column hinted_at timestamptz');
  }

  override down(): void {
    this.addSql('alter table order_poll drop column hinted_at');
  }
}
