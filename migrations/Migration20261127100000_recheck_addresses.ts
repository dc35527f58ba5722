import { Migration } from '@mikro-orm/migrations';

/**
 * Clears the precision of the points of addresses: points that were sent with words counted as
 * houses (rule FUL-54). An address is searched again when it is used.
 */
export class Migration20261127100000_recheck_addresses extends Migration {
  override up(): void {
    this.addSql('update delivery_address set precision = null where precision is not null');
  }

  override down(): void {
    // The points stay, and are searched again.
  }
}
