import { Migration } from '@mikro-orm/migrations';

const FACTORS = `
create table access_second_factor (
  user_id bigint primary key references access_user (id),
  secret_encrypted text not null,
  last_step bigint not null default 0,
  recovery_digests text[] not null default '{}',
  confirmed_at timestamptz null,
  created_at timestamptz not null default now())`;

/** Authenticator apps of staff; a row without confirmed_at counts nothing yet. */
export class Migration20261123150000_second_factor extends Migration {
  override up(): void {
    this.addSql(FACTORS);
  }

  override down(): void {
    this.addSql('drop table access_second_factor');
  }
}
