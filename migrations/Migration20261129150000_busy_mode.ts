import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the busy mode of organizations (rules FUL-66 to FUL-70). A row ends at `until`, whenever it
 * is deleted.
 */
export class Migration20261129150000_busy_mode extends Migration {
  override up(): void {
    this.addSql(`
      create table busy_mode (
        organization_id bigint primary key references mirror_organization (id),
        extra_minutes int not null check (extra_minutes between 5 and 180),
        until timestamptz not null,
        updated_at timestamptz not null default now()
      )`);
  }

  override down(): void {
    this.addSql('drop table busy_mode');
  }
}
