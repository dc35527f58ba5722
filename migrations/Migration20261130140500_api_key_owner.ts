import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the user whose permissions limit an API key (rule ACC-54). Keys begin with their creator.
 */
export class Migration20261130140500_api_key_owner extends Migration {
  override up(): void {
    this.addSql('alter table access_api_key add column owner_id bigint');
    this.addSql('update access_api_key set owner_id = created_by');
  }

  override down(): void {
    this.addSql('alter table access_api_key drop column owner_id');
  }
}
