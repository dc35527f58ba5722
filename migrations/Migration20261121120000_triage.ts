import { Migration } from '@mikro-orm/migrations';

/**
 * What staff decided about a mirrored dish leaves the mirror, which only imports write. A dish without a row is NEW, so an
 * import registers new dishes by writing nothing.
 */
export class Migration20261121120000_triage extends Migration {
  override up(): void {
    this.addSql(`create table catalog_item_triage (
      item_id bigint primary key references mirror_item (id),
      status text not null constraint catalog_item_triage_status_check check (status in ('LINKED', 'IGNORED')), note text null,
      decided_at timestamptz not null default now())`);
    this.addSql(`insert into catalog_item_triage (item_id, status, note)
      select id, triage, triage_note from mirror_item where triage <> 'NEW'`);
    this.addSql('alter table mirror_item drop column triage, drop column triage_note');
  }

  override down(): void {
    this.addSql(`alter table mirror_item
      add column triage text not null default 'NEW' check (triage in ('NEW', 'LINKED', 'IGNORED')), add column triage_note text null`);
    this.addSql(`update mirror_item item set triage = decided.status, triage_note = decided.note
      from catalog_item_triage decided where decided.item_id = item.id`);
    this.addSql(
      `create index mirror_item_triage_index on mirror_item (triage) where role = 'DISH' and deleted_at is null`,
    );
    this.addSql('drop table catalog_item_triage');
  }
}
