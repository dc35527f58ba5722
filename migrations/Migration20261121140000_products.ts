import { Migration } from '@mikro-orm/migrations';

/** Every address a product or category has, or has had: none is ever given to another one. The row of the owner names its present one. */
const ADDRESSES = (['product', 'category'] as const).map(
  (kind) => `
create table catalog_${kind}_slug (
  slug text primary key, ${kind}_id bigint not null references catalog_${kind} (id) on delete cascade,
  taken_at timestamptz not null default now());
create index catalog_${kind}_slug_owner_index on catalog_${kind}_slug (${kind}_id);
insert into catalog_${kind}_slug (slug, ${kind}_id) select slug, id from catalog_${kind};
create function catalog_${kind}_slug_taken() returns trigger language plpgsql as $$
begin
  insert into catalog_${kind}_slug (slug, ${kind}_id) values (new.slug, new.id) on conflict (slug) do nothing;
  if not exists (select from catalog_${kind}_slug where slug = new.slug and ${kind}_id = new.id) then
    raise exception 'the address % belongs, or belonged, to another ${kind}', new.slug
      using errcode = 'unique_violation', constraint = 'catalog_${kind}_slug_unique', table = tg_table_name;
  end if;
  return null;
end $$;
create trigger catalog_${kind}_slug_taken after insert or update of slug on catalog_${kind}
  for each row execute function catalog_${kind}_slug_taken()`,
);

/** Texts for search engines, addresses that stay taken, visibility per organization, and what the product list filters by. */
export class Migration20261121140000_products extends Migration {
  override up(): void {
    this.addSql(`alter table catalog_product add column seo_title text null, add column seo_description text null,
      add column is_visible boolean not null default true,
      add column search_text text generated always as (translate(lower(name), 'ё', 'е') || chr(10) || slug) stored`);
    this.addSql(`create table catalog_product_visibility (
      product_id bigint not null references catalog_product (id) on delete cascade,
      organization_id bigint not null references mirror_organization (id), is_visible boolean not null,
      primary key (product_id, organization_id))`);
    for (const statement of ADDRESSES) this.addSql(statement);
    this.addSql(`alter table snapshot add column card_texts jsonb not null default '{}'`);
    // Few rows each: what the filter `erp_issue` looks for.
    this.addSql(
      `create index catalog_variant_missing_index on catalog_variant (product_id) where binding_state = 'MISSING'`,
    );
    this.addSql('create index mirror_item_deleted_index on mirror_item (id) where deleted_at is not null');
    this.addSql(`create index binding_incident_open_index on binding_incident (product_id) where status = 'OPEN'`);
    this.addSql('create index catalog_product_badge_badge_index on catalog_product_badge (badge_id)');
  }

  override down(): void {
    this.addSql(`drop index catalog_product_badge_badge_index, binding_incident_open_index, mirror_item_deleted_index,
      catalog_variant_missing_index`);
    this.addSql('alter table snapshot drop column card_texts');
    for (const kind of ['category', 'product']) {
      this.addSql(`drop trigger catalog_${kind}_slug_taken on catalog_${kind}`);
      this.addSql(`drop function catalog_${kind}_slug_taken`);
      this.addSql(`drop table catalog_${kind}_slug`);
    }
    this.addSql('drop table catalog_product_visibility');
    this.addSql(`alter table catalog_product drop column search_text, drop column is_visible, drop column seo_description,
      drop column seo_title`);
  }
}
