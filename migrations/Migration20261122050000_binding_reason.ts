import { Migration } from '@mikro-orm/migrations';

/** Why a variant was bound to something else, in the words of whoever did it. */
export class Migration20261122050000_binding_reason extends Migration {
  override up(): void {
    this.addSql('alter table binding_history add column reason text null');
  }

  override down(): void {
    this.addSql('alter table binding_history drop column reason');
  }
}
