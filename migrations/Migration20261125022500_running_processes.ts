import { Migration } from '@mikro-orm/migrations';

/** Which processes run, and which keys of stored secrets each of them knows. */
export class Migration20261125022500_running_processes extends Migration {
  override up(): void {
    this.addSql(`create table running_process (
      id uuid primary key, name text not null, key_ids text[] not null,
      started_at timestamptz not null default now(), seen_at timestamptz not null default now())`);
  }

  override down(): void {
    this.addSql('drop table running_process');
  }
}
