import { Migration } from '@mikro-orm/migrations';

/** Pictures that change and go: renditions that old menus still show, claims on files, and what each revision shows. */
export class Migration20261121160000_media extends Migration {
  override up(): void {
    for (const statement of UP) this.addSql(statement);
  }

  override down(): void {
    for (const statement of DOWN) this.addSql(statement);
  }
}

const UP = [
  `alter table media add column rendition_set text generated always as (split_part(renditions -> 0 ->> 'url', '/', 3)) stored`,
  'create index media_rendition_set_index on media (rendition_set)',
  'create index media_folder_index on media (folder)',
  `create table media_retired (
     media_id bigint not null, rendition_set text not null, renditions jsonb not null, is_deleted boolean not null,
     retired_at timestamptz not null default now(), primary key (media_id, rendition_set))`,
  'create index media_retired_set_index on media_retired (rendition_set)',
  `create table media_claim (
     files text primary key, purpose text not null check (purpose in ('WRITE', 'SWEEP')), until timestamptz not null)`,
  'create index media_claim_until_index on media_claim (until)',
  // Null for revisions that were kept before: they may show every picture.
  'alter table snapshot_revision add column media_ids bigint[] null',
  'create index catalog_product_main_image_index on catalog_product (main_image_id)',
  'create index catalog_product_hover_image_index on catalog_product (hover_image_id)',
  'create index catalog_product_image_media_index on catalog_product_image (media_id)',
  'create index catalog_category_image_index on catalog_category (image_id)',
  'create index catalog_modifier_profile_image_index on catalog_modifier_profile (image_id)',
];

const DOWN = [
  'drop index catalog_modifier_profile_image_index',
  'drop index catalog_category_image_index',
  'drop index catalog_product_image_media_index',
  'drop index catalog_product_hover_image_index',
  'drop index catalog_product_main_image_index',
  'alter table snapshot_revision drop column media_ids',
  'drop table media_claim',
  'drop table media_retired',
  'drop index media_folder_index',
  'drop index media_rendition_set_index',
  'alter table media drop column rendition_set',
];
