import { Migration } from '@mikro-orm/migrations';

/** What guests never buy, in one place: the item as which a delivery fee is told to the ERP. */
export class Migration20261122192000_unsold_items extends Migration {
  override up(): void {
    this.addSql(`
      create view unsold_item as
      select item.id as item_id from service_role role
        join mirror_item item on item.erp_id = role.erp_item_id
       where role.role = 'DELIVERY_FEE'
       union
      select size.item_id from service_role role
        join catalog_variant variant on variant.id = role.variant_id
        join mirror_item_size size on size.id = variant.item_size_id
       where role.role = 'DELIVERY_FEE'`);
    this.addSql(
      `comment on view unsold_item is 'Items that no guest buys, whoever has published them: those with the role DELIVERY_FEE, which the server adds to an order by itself.'`,
    );
  }

  override down(): void {
    this.addSql('drop view unsold_item');
  }
}
