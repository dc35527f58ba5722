import { Migration } from '@mikro-orm/migrations';

/** What is known of people, in one place. */
export class Migration20261122120500_personal_data extends Migration {
  override up(): void {
    this.addSql(`
      create table personal_data (
        id uuid primary key,
        purpose text not null check (purpose in ('ADDRESS', 'ORDER')),
        data_encrypted text not null,
        created_at timestamptz not null default now())`);
  }

  override down(): void {
    this.addSql('drop table personal_data');
  }
}
