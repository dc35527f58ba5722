import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the hours of categories of external menus (rule MIR-93), the next moment at which they
 * change the availability of a published menu (rule SNP-76), and a view of the clocks of
 * organizations.
 */
export class Migration20261130154500_menu_hours extends Migration {
  override up(): void {
    this.addSql('alter table mirror_menu_category add column hours jsonb');
    this.addSql('alter table stage_menu_category add column hours jsonb');
    this.addSql('alter table snapshot add column hours_due_at timestamptz');
    this.addSql(`
      create view organization_clock as
      select organization.id as organization_id, coalesce(config.time_zone, organization.time_zone) as time_zone
        from mirror_organization organization
        left join ordering_config config on config.organization_id = organization.id`);
    this.addSql(`
      comment on view organization_clock is
        'The time zone of each organization: that of its staff, else that of the ERP. Null while neither is known.'`);
  }

  override down(): void {
    this.addSql('drop view organization_clock');
    this.addSql('alter table snapshot drop column hours_due_at');
    this.addSql('alter table stage_menu_category drop column hours');
    this.addSql('alter table mirror_menu_category drop column hours');
  }
}
