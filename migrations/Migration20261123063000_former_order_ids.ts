import { Migration } from '@mikro-orm/migrations';

/** Every order that is told is looked for among the ids that moved orders have left. */
export class Migration20261123063000_former_order_ids extends Migration {
  override up(): void {
    this.addSql('create index erp_gift_order_former on erp_gift_order using gin (former_erp_order_ids)');
  }

  override down(): void {
    this.addSql('drop index erp_gift_order_former');
  }
}
