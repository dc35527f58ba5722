import { Migration } from '@mikro-orm/migrations';

/** What is known of the way of an order to the ERP, and the ERP's dictionaries with what staff have chosen from them. */
export class Migration20261122124100_orders_on_their_way extends Migration {
  override up(): void {
    this.addSql(`
      alter table customer_order
        add column unanswered_since timestamptz null,
        add column missing_since timestamptz null,
        add column erp_organization_erp_id uuid null,
        add column erp_error text null`);
    this.addSql(`
      create table erp_choices (
        connection_id bigint primary key references connection (id) on delete cascade,
        payment_types jsonb not null,
        discount_types jsonb not null,
        read_at timestamptz not null default now())`);
    this.addSql(`
      create table order_sending (
        connection_id bigint primary key references connection (id) on delete cascade,
        payment_types jsonb not null default '{}'::jsonb,
        discount_type_id uuid null,
        updated_at timestamptz not null default now(),
        version int not null default 1)`);
  }

  override down(): void {
    for (const table of ['order_sending', 'erp_choices']) this.addSql(`drop table ${table}`);
    this.addSql(`
      alter table customer_order
        drop column unanswered_since, drop column missing_since, drop column erp_organization_erp_id, drop column erp_error`);
  }
}
