import { Migration } from '@mikro-orm/migrations';

/** What a menu leaves out to keep within the limit, and what the bytes of a menu over the limit are made of. */
export class Migration20261122040000_menu_parts extends Migration {
  override up(): void {
    this.addSql('alter table snapshot add column left_out bytea null');
    this.addSql('alter table snapshot_request add column too_large_parts jsonb null');
  }

  override down(): void {
    this.addSql('alter table snapshot_request drop column too_large_parts');
    this.addSql('alter table snapshot drop column left_out');
  }
}
