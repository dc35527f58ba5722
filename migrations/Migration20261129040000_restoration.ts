import { Migration } from '@mikro-orm/migrations';

/** Adds the state of a restoration of the database (rules ORD-112, ORD-113). */
export class Migration20261129040000_restoration extends Migration {
  override up(): void {
    this.addSql(`
      create table restoration (
        only_row boolean primary key default true check (only_row),
        restored_to timestamptz not null,
        began_at timestamptz not null default now(),
        finished_at timestamptz,
        report jsonb
      )`);
    this.addSql(`
      create table restored_order (
        order_id uuid primary key references customer_order (id) on delete cascade,
        restored_to timestamptz not null,
        carts_closed int not null,
        rights_taken int not null,
        discount_uses int not null,
        unrecovered text[] not null default '{}'::text[],
        recorded_at timestamptz not null default now()
      )`);
  }

  override down(): void {
    this.addSql('drop table restored_order');
    this.addSql('drop table restoration');
  }
}
