import { Migration } from '@mikro-orm/migrations';

/** When the reconciler has run last, so that its silence can be seen, and whose schedules it keeps: one row. */
export class Migration20261123110000_reconciled extends Migration {
  override up(): void {
    this.addSql(
      `create table mirror_reconciled (id smallint primary key default 1 check (id = 1), at timestamptz not null,
         installation_id uuid not null default gen_random_uuid())`,
    );
    this.addSql('insert into mirror_reconciled (at) values (now())');
  }

  override down(): void {
    this.addSql('drop table mirror_reconciled');
  }
}
