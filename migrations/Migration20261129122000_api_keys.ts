import { Migration } from '@mikro-orm/migrations';

/**
 * Adds API keys and their secrets (rules ACC-30 to ACC-37). A key has the id of its machine
 * account.
 */
export class Migration20261129122000_api_keys extends Migration {
  override up(): void {
    this.addSql(`
      create table access_api_key (
        id bigint primary key references access_user (id),
        name text not null,
        use text not null check (use in ('ADMIN', 'STOREFRONT')),
        permissions text[] not null default '{}',
        rate_class text not null default 'STANDARD' check (rate_class in ('STANDARD', 'HIGH')),
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz,
        created_by bigint,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        version int not null default 1,
        check (use = 'ADMIN' or permissions = '{}')
      )`);
    this.addSql(`
      create table access_api_key_secret (
        prefix text primary key,
        key_id bigint not null references access_api_key (id),
        digest bytea not null,
        created_at timestamptz not null default now(),
        valid_until timestamptz
      )`);
    this.addSql('create index access_api_key_secret_key on access_api_key_secret (key_id)');
    this.addSql('create index access_api_key_secret_ended on access_api_key_secret (valid_until)');
  }

  override down(): void {
    this.addSql('drop table access_api_key_secret');
    this.addSql('drop table access_api_key');
  }
}
