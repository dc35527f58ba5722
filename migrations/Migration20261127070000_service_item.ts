import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the view of items that the server adds to orders by their roles, so that no menu offers them
 * as dishes.
 */
export class Migration20261127070000_service_item extends Migration {
  override up(): void {
    this.addSql(`
      create view service_item as
      select distinct item.id as item_id
        from service_role role
        left join catalog_variant variant on variant.id = role.variant_id
        left join mirror_item_size size on size.id = variant.item_size_id
        join mirror_item item on item.erp_id = role.erp_item_id or item.id = size.item_id
       where role.role not like 'PAID\\_%'`);
    this.addSql(`
      comment on view service_item is
        'Items with a role that the server applies by itself, whoever has published them: every role except PAID_… ones. No menu offers them.'`);
  }

  override down(): void {
    this.addSql('drop view service_item');
  }
}
