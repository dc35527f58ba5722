import { Migration } from '@mikro-orm/migrations';

/** Records the versions of workflows that each worker polls for (rule OPS-183). */
export class Migration20261130160000_polled_versions extends Migration {
  override up(): void {
    this.addSql('alter table running_process add column polled_versions text[]');
  }

  override down(): void {
    this.addSql('alter table running_process drop column polled_versions');
  }
}
