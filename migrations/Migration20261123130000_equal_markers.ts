import { Migration } from '@mikro-orm/migrations';

/** Of several equal markers of which not all are known, how many are to stay when the one of a redeemed right goes. */
export class Migration20261123130000_equal_markers extends Migration {
  override up(): void {
    this.addSql('alter table marker_clearing add column equals_left int null check (equals_left >= 0)');
  }

  override down(): void {
    this.addSql('alter table marker_clearing drop column equals_left');
  }
}
