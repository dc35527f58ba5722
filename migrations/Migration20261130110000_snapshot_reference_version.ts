import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the version of image references that a menu was last built with (rule SNP-57). It is null
 * for builds of earlier releases.
 */
export class Migration20261130110000_snapshot_reference_version extends Migration {
  override up(): void {
    this.addSql('alter table snapshot_revision add column reference_version int');
  }

  override down(): void {
    this.addSql('alter table snapshot_revision drop column reference_version');
  }
}
