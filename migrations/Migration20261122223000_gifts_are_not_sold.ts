import { Migration } from '@mikro-orm/migrations';

/** The item as which a delivery fee is told to the ERP. `more` is a further column. */
const fee = (more: string): string => `
  select item.id as item_id${more} from service_role role
    join mirror_item item on item.erp_id = role.erp_item_id
   where role.role = 'DELIVERY_FEE'
   union
  select size.item_id${more} from service_role role
    join catalog_variant variant on variant.id = role.variant_id
    join mirror_item_size size on size.id = variant.item_size_id
   where role.role = 'DELIVERY_FEE'`;
const GIFTS = `
   union
  select item.id, 'REWARD' from reward
    join mirror_item item on item.erp_id = reward.erp_item_id
   where reward.is_active`;

/** Gifts are in no menu, and staff have phones, to which they grant none. */
export class Migration20261122223000_gifts_are_not_sold extends Migration {
  override up(): void {
    this.addSql(`create or replace view unsold_item as ${fee(`, 'DELIVERY_FEE' as why`)} ${GIFTS}`);
    this.addSql(
      `comment on view unsold_item is 'Items that no guest buys, whoever has published them: those with the role DELIVERY_FEE, which the server adds to an order by itself, and those that active rewards give as gifts. why: DELIVERY_FEE or REWARD; an item may be both.'`,
    );
    this.addSql('alter table access_user add column phone text null');
  }

  override down(): void {
    this.addSql('alter table access_user drop column phone');
    this.addSql('drop view unsold_item');
    this.addSql(`create view unsold_item as ${fee('')}`);
    this.addSql(
      `comment on view unsold_item is 'Items that no guest buys, whoever has published them: those with the role DELIVERY_FEE, which the server adds to an order by itself.'`,
    );
  }
}
