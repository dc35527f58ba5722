import { Migration } from '@mikro-orm/migrations';

/** Adds the tasks that workers repeat without Temporal (rule OPS-102). */
export class Migration20261129070000_periodic_task extends Migration {
  override up(): void {
    this.addSql(`
      create table periodic_task (
        name text primary key,
        due_at timestamptz not null,
        lease uuid,
        leased_until timestamptz,
        created_at timestamptz not null default now(),
        started_at timestamptz,
        succeeded_at timestamptz,
        duration_ms double precision,
        failures int not null default 0,
        last_error text
      )`);
  }

  override down(): void {
    this.addSql('drop table periodic_task');
  }
}
