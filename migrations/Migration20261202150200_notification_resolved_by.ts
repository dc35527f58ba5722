import { Migration } from '@mikro-orm/migrations';

/** Adds who has resolved a notification (NOT-5). */
export class Migration20261202150200_notification_resolved_by extends Migration {
  override up(): void {
    this.addSql('alter table notification add column resolved_by bigint');
  }

  override down(): void {
    this.addSql('alter table notification drop column resolved_by');
  }
}
