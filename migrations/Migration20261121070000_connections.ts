import { Migration } from '@mikro-orm/migrations';

const CIRCUITS = `
create table erp_circuit (
  connection_id bigint primary key references connection (id), opened_at timestamptz null, open_until timestamptz null,
  probe_until timestamptz null, opened_times bigint not null default 0);
create table erp_hold (
  connection_id bigint not null references connection (id), endpoint text not null, until timestamptz not null,
  primary key (connection_id, endpoint))`;

const REFUSALS = `
alter table erp_token add column refused_at timestamptz null;
create table erp_refusal (
  connection_id bigint not null references connection (id), endpoint text not null, generation bigint not null,
  refused_at timestamptz not null default now(), primary key (connection_id, endpoint))`;

// A connection is never deleted and never changes its owner (rules CON-1 and CON-5): not by a mistake in our code either.
const KEPT = `
create function connection_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'connections are disabled, not deleted' using errcode = 'restrict_violation';
  end if;
  if new.legal_entity_id is distinct from old.legal_entity_id then
    raise exception 'the owner of a connection never changes' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger connection_kept before delete or update of legal_entity_id on connection
  for each row execute function connection_kept()`;

/** Connections: shared circuits and waiting times, refused credentials, and the rules that only a database keeps for certain. */
export class Migration20261121070000_connections extends Migration {
  override up(): void {
    for (const sql of [CIRCUITS, REFUSALS, KEPT]) this.addSql(sql);
    // One public uuid is one active row; of the rows an earlier version may have left, the oldest one stays active.
    this.addSql(`update mirror_organization later set inactive_at = now()
      where inactive_at is null and exists (select 1 from mirror_organization earlier
        where earlier.erp_id = later.erp_id and earlier.inactive_at is null and earlier.id < later.id)`);
    this.addSql(
      'create unique index mirror_organization_active_unique on mirror_organization (erp_id) where inactive_at is null',
    );
    this.addSql('drop index mirror_organization_erp_index');
  }

  override down(): void {
    this.addSql('create index mirror_organization_erp_index on mirror_organization (erp_id) where inactive_at is null');
    this.addSql('drop index mirror_organization_active_unique');
    this.addSql('drop trigger connection_kept on connection');
    this.addSql('drop function connection_kept');
    this.addSql('drop table erp_refusal');
    this.addSql('alter table erp_token drop column refused_at');
    this.addSql('drop table erp_hold, erp_circuit');
  }
}
