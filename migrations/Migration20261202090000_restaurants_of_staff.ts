import { Migration } from '@mikro-orm/migrations';

/**
 * Limits users and API keys to restaurants (rule ACC-61), adds the telephone of a restaurant, and
 * gives existing roles and keys the new permission to read what they may already change.
 */
export class Migration20261202090000_restaurants_of_staff extends Migration {
  override up(): void {
    this.addSql('alter table access_user add column organization_ids bigint[]');
    this.addSql('alter table access_api_key add column organization_ids bigint[]');
    this.addSql('alter table ordering_config add column phone text');
    this.addSql(`
      update access_role
         set permissions = array(select distinct unnest(permissions || '{ordering.read}'::text[]) order by 1),
             updated_at = now(), version = version + 1
       where 'ordering.manage' = any (permissions) and not 'ordering.read' = any (permissions)`);
    this.addSql(`
      update access_role
         set permissions = array(select distinct unnest(permissions || '{notifications.read}'::text[]) order by 1),
             updated_at = now(), version = version + 1
       where code in ('CONTENT_MANAGER', 'OPERATOR', 'GUEST_SERVICE', 'VIEWER')
         and not 'notifications.read' = any (permissions)`);
    this.addSql(`
      update access_api_key
         set permissions = array(select distinct unnest(permissions || '{ordering.read}'::text[]) order by 1),
             updated_at = now(), version = version + 1
       where 'ordering.manage' = any (permissions) and not 'ordering.read' = any (permissions)`);
  }

  override down(): void {
    this.addSql('alter table ordering_config drop column phone');
    this.addSql('alter table access_api_key drop column organization_ids');
    this.addSql('alter table access_user drop column organization_ids');
  }
}
