import { Migration } from '@mikro-orm/migrations';

/** Builds that fail for a reason in the data are remembered, so that they are tried again only after a further change. */
export class Migration20261123060000_broken_builds extends Migration {
  override up(): void {
    this.addSql(
      'alter table snapshot_request add column failed_seq bigint, add column failed_at timestamptz, add column failure text',
    );
  }

  override down(): void {
    this.addSql('alter table snapshot_request drop column failed_seq, drop column failed_at, drop column failure');
  }
}
