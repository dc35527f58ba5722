import { Migration } from '@mikro-orm/migrations';

/**
 * Forgets how exactly the points of addresses are known: points that were sent beside words were
 * taken for houses (rule FUL-54). Each address is looked for again when it is used.
 */
export class Migration20261127100000_recheck_addresses extends Migration {
  override up(): void {
    this.addSql('update delivery_address set precision = null where precision is not null');
  }

  override down(): void {
    // The points stay, and are looked for again.
  }
}
