import { Migration } from '@mikro-orm/migrations';

/**
 * Sign-ons through the identity provider: those on their way, kept as digests only, and which account of a provider belongs to
 * which user. An account stays with a deleted user, so that he does not come back by signing in.
 */
export class Migration20261121170000_single_sign_on extends Migration {
  override up(): void {
    this.addSql(
      `create table access_sign_on (
         state_digest text primary key, browser_digest text not null, return_to text not null, expires_at timestamptz not null)`,
    );
    this.addSql('create index access_sign_on_expires_index on access_sign_on (expires_at)');
    this.addSql(
      `create table access_identity (
         issuer text not null, subject text not null, user_id bigint not null references access_user (id) on delete cascade,
         created_at timestamptz not null default now(), primary key (issuer, subject),
         constraint access_identity_user_unique unique (user_id, issuer))`,
    );
  }

  override down(): void {
    this.addSql('drop table access_identity, access_sign_on');
  }
}
