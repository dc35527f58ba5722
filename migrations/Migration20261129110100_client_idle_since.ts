import { Migration } from '@mikro-orm/migrations';

/** Adds the time from which a client counts as idle (rule CLI-5). */
export class Migration20261129110100_client_idle_since extends Migration {
  override up(): void {
    this.addSql('alter table compensation_client add column idle_since timestamptz');
  }

  override down(): void {
    this.addSql('alter table compensation_client drop column idle_since');
  }
}
