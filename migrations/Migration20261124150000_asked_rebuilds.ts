import { Migration } from '@mikro-orm/migrations';

/** For which reason of a menu a rebuild was last asked for: one signal for each, however many processes deliver events. */
export class Migration20261124150000_asked_rebuilds extends Migration {
  override up(): void {
    this.addSql('alter table snapshot_request add column asked_seq bigint not null default 0');
  }

  override down(): void {
    this.addSql('alter table snapshot_request drop column asked_seq');
  }
}
