import { Migration } from '@mikro-orm/migrations';

// Deliberately no reference to the right: checking it would hold the right before whoever reserves it does, and two orders that want the same
// one would wait for each other.
const GIFT_LINES = `
alter table order_line
  add column compensation_id uuid null,
  add column left_out_at timestamptz null`;

/** Which right a gift in an order is of, and since when the order goes without it. */
export class Migration20261124090000_gifts_of_order_lines extends Migration {
  override up(): void {
    this.addSql(GIFT_LINES);
  }

  override down(): void {
    this.addSql('alter table order_line drop column compensation_id, drop column left_out_at');
  }
}
