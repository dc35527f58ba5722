import { Migration } from '@mikro-orm/migrations';

/**
 * Makes the cooking time of pickup one that staff may leave to the ERP (rule FUL-58). The default
 * of before is 20 minutes: a row with 20 of which the audit has no edit was never set by staff, and
 * becomes null. Staff who sent 20 while it was 20 already have no entry either. Processes of the
 * former release take null for 0 minutes until they are replaced.
 */
export class Migration20261128012000_own_pickup_minutes extends Migration {
  override up(): void {
    this.addSql(`
      -- One row for each restaurant. Processes of the former release read null as 0 minutes for a while.
      alter table ordering_config
        alter column pickup_cooking_minutes drop default,
        -- squawk-ignore ban-drop-not-null
        alter column pickup_cooking_minutes drop not null`);
    this.addSql(`
      update ordering_config config set pickup_cooking_minutes = null
       where pickup_cooking_minutes = 20 and not exists (
         select 1 from audit_entry
          where entity_type = 'organization-ordering' and entity_id = config.organization_id::text
            and after ? 'pickupCookingMinutes')`);
  }

  override down(): void {
    this.addSql(
      'update ordering_config set pickup_cooking_minutes = 20 where pickup_cooking_minutes is null',
    );
    this.addSql(`
      alter table ordering_config
        alter column pickup_cooking_minutes set default 20,
        alter column pickup_cooking_minutes set not null`);
  }
}
