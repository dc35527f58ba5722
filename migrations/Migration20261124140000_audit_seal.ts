import { Migration } from '@mikro-orm/migrations';

// Without a reference: it would have the database refuse a truncation of the audit with other words, and checks nothing that the chain does not show.
const AUDIT_SEAL = `
create table audit_seal (
  position bigint primary key,
  entry_id bigint not null,
  digest bytea not null,
  sealed_at timestamptz not null default now()
)`;

const APPEND_ONLY = `
create function audit_seal_append_only() returns trigger language plpgsql as $$
begin raise exception 'audit_seal is append-only' using errcode = 'restrict_violation'; end $$;
create trigger audit_seal_append_only before update or delete on audit_seal for each row execute function audit_seal_append_only();
create trigger audit_seal_no_truncate before truncate on audit_seal for each statement execute function audit_seal_append_only()`;

/** The chain of digests over the audit (rule ACC-22). */
export class Migration20261124140000_audit_seal extends Migration {
  override up(): void {
    this.addSql(AUDIT_SEAL);
    this.addSql('create unique index audit_seal_entry_unique on audit_seal (entry_id)');
    this.addSql(APPEND_ONLY);
  }

  override down(): void {
    this.addSql('drop table audit_seal');
    this.addSql('drop function audit_seal_append_only');
  }
}
