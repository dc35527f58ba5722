import { Migration } from '@mikro-orm/migrations';

/**
 * Adds a table for decisions about orders (rule ORD-104). Decisions that are stored in the rows of
 * orders stay there until retention deletes them.
 */
export class Migration20261129092000_order_decision extends Migration {
  override up(): void {
    this.addSql(`
      create table order_decision (
        order_id uuid primary key references customer_order (id) on delete cascade,
        decision jsonb not null,
        decided_at timestamptz not null
      )`);
    this.addSql('create index order_decision_age on order_decision (decided_at)');
    this.addSql(`
      -- Processes of the former release read it in one answer to staff.
      -- squawk-ignore ban-drop-not-null
      alter table customer_order alter column decision drop not null`);
  }

  override down(): void {
    this.addSql(`
      update customer_order set decision = coalesce(
        (select kept.decision from order_decision kept where kept.order_id = customer_order.id),
        '{"facts": {}, "findings": []}') where decision is null`);
    this.addSql('alter table customer_order alter column decision set not null');
    this.addSql('drop table order_decision');
  }
}
