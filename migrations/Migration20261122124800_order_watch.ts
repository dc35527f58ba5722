import { Migration } from '@mikro-orm/migrations';

/** How far the changes of orders at the ERP have been read, and which terminals can take orders now. */
export class Migration20261122124800_order_watch extends Migration {
  override up(): void {
    this.addSql(`
      create table order_revision (
        connection_id bigint primary key references connection (id) on delete cascade,
        revision bigint not null,
        polled_at timestamptz not null default now())`);
    this.addSql(`
      create table terminal_alive (
        organization_id bigint not null references mirror_organization (id) on delete cascade,
        terminal_group_erp_id uuid not null,
        is_alive boolean not null,
        checked_at timestamptz not null default now(),
        primary key (organization_id, terminal_group_erp_id))`);
  }

  override down(): void {
    for (const table of ['terminal_alive', 'order_revision']) this.addSql(`drop table ${table}`);
  }
}
