import { Migration } from '@mikro-orm/migrations';

/** Foreign keys of the two tables with a row per (size, organization) and per (size, group, modifier). */
const KEYS = [
  { table: 'mirror_price', column: 'external_menu_id', target: 'mirror_external_menu (id)' },
  { table: 'mirror_price', column: 'item_size_id', target: 'mirror_item_size (id)' },
  { table: 'mirror_price', column: 'organization_id', target: 'mirror_organization (id)' },
  { table: 'mirror_modifier_link', column: 'item_id', target: 'mirror_item (id)' },
  {
    table: 'mirror_modifier_link',
    column: 'modifier_group_id',
    target: 'mirror_modifier_group (id) on delete cascade',
  },
] as const;

/** Tables that every import run stamps row by row. */
const STAMPED = [
  'mirror_menu_category',
  'mirror_item_menu',
  'mirror_item_placement',
  'mirror_size_menu',
  'mirror_modifier_group',
] as const;

/**
 * The first import of a menu checked 110,000 foreign keys one by one, which took longer than writing the rows. Only imports
 * write these tables, from joins with the rows the keys name; those rows are never deleted, or their links with them.
 * Half-empty pages let a run stamp its marks in place, without touching an index.
 */
export class Migration20261121030000_mirror_bulk extends Migration {
  override up(): void {
    for (const { table, column } of KEYS) this.addSql(`alter table ${table} drop constraint ${table}_${column}_fkey`);
    for (const table of STAMPED) this.addSql(`alter table ${table} set (fillfactor = 50)`);
  }

  override down(): void {
    for (const table of STAMPED) this.addSql(`alter table ${table} reset (fillfactor)`);
    for (const { table, column, target } of KEYS)
      this.addSql(
        `alter table ${table} add constraint ${table}_${column}_fkey foreign key (${column}) references ${target}`,
      );
  }
}
