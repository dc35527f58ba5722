import { Migration } from '@mikro-orm/migrations';

/** Answers of the geocoder, kept for a time. The key is a digest: what guests have typed is not stored. */
export class Migration20261122094000_geocoder_answers extends Migration {
  override up(): void {
    this.addSql(`
      create table geocoder_answer (
        key text primary key, places jsonb not null,
        created_at timestamptz not null default now(), expires_at timestamptz not null)`);
    this.addSql('create index geocoder_answer_created_index on geocoder_answer (created_at)');
  }

  override down(): void {
    this.addSql('drop table geocoder_answer');
  }
}
