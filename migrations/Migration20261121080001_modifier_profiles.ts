import { Migration } from '@mikro-orm/migrations';

/** What staff say about modifier groups and modifiers of the external system; a row exists only where they said something. */
export class Migration20261121080001_modifier_profiles extends Migration {
  override up(): void {
    this.addSql(`create table catalog_modifier_group_profile (
      group_key text primary key, display_name text null,
      ui_type text null check (ui_type in ('RADIO', 'CHECKBOX', 'COUNTER')),
      is_hidden boolean not null default false, is_collapsed boolean not null default false, item_order bigint[] not null default '{}',
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(), version int not null default 1)`);
    this.addSql(`create table catalog_modifier_profile (
      item_id bigint primary key references mirror_item (id), display_name text null, image_id bigint null references media (id),
      position int null, is_hidden boolean not null default false,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(), version int not null default 1)`);
    this.addSql('create index mirror_modifier_group_key_index on mirror_modifier_group (group_key)');
  }

  override down(): void {
    this.addSql('drop index mirror_modifier_group_key_index');
    this.addSql('drop table catalog_modifier_profile');
    this.addSql('drop table catalog_modifier_group_profile');
  }
}
