import { Migration } from '@mikro-orm/migrations';

const RESOLUTION = 'binding_incident_resolution_check';

/**
 * Variants that staff add and remove: an option belongs to one variant of a product; incidents and the history of bindings outlive
 * their variant and keep the name of its option.
 */
export class Migration20261121150000_variants extends Migration {
  override up(): void {
    this.addSql('create unique index catalog_variant_option_unique on catalog_variant (product_id, option_id)');
    this.addSql('alter table binding_incident drop constraint binding_incident_variant_id_fkey');
    this.addSql('alter table binding_incident add column removed_option_name text null');
    this.addSql('alter table binding_history drop constraint binding_history_variant_id_fkey');
    this.addSql(`alter table binding_incident drop constraint ${RESOLUTION}`);
    this.addSql(`alter table binding_incident add constraint ${RESOLUTION}
      check (resolution in ('DISMISSED', 'REBOUND', 'ITEM_RETURNED', 'VARIANT_REMOVED'))`);
  }

  /** What refers to a removed variant stays: incidents are never deleted. Only new rows are checked again. */
  override down(): void {
    this.addSql(`alter table binding_incident drop constraint ${RESOLUTION}`);
    this.addSql(`update binding_incident set resolution = 'DISMISSED' where resolution = 'VARIANT_REMOVED'`);
    this.addSql(`alter table binding_incident add constraint ${RESOLUTION}
      check (resolution in ('DISMISSED', 'REBOUND', 'ITEM_RETURNED'))`);
    this.addSql(`alter table binding_history add constraint binding_history_variant_id_fkey
      foreign key (variant_id) references catalog_variant (id) not valid`);
    this.addSql('alter table binding_incident drop column removed_option_name');
    this.addSql(`alter table binding_incident add constraint binding_incident_variant_id_fkey
      foreign key (variant_id) references catalog_variant (id) not valid`);
    this.addSql('drop index catalog_variant_option_unique');
  }
}
