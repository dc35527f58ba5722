import { Migration } from '@mikro-orm/migrations';

/** Access: one signing key per purpose at a time, and shared counters against guessing passwords. */
export class Migration20261121010000_access extends Migration {
  override up(): void {
    this.addSql(`alter table access_signing_key
      add column purpose text not null default 'ACCESS_TOKEN' constraint access_signing_key_purpose_check check (purpose in ('ACCESS_TOKEN', 'REFRESH_TOKEN'))`);
    this.addSql(
      'create unique index access_signing_key_current_unique on access_signing_key (purpose) where retired_at is null',
    );
    this.addSql(
      'create table access_login_throttle (key text primary key, attempts int not null, window_ends_at timestamptz not null)',
    );
  }

  override down(): void {
    this.addSql('drop table access_login_throttle');
    this.addSql('drop index access_signing_key_current_unique');
    this.addSql('alter table access_signing_key drop column purpose');
  }
}
