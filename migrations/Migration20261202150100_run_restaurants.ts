import { Migration } from '@mikro-orm/migrations';

/**
 * Adds who has canceled a run (MIR-99), the restaurant that a plan is limited to (MIR-100), and the
 * restaurants that an acceptance is limited to (MIR-101).
 */
export class Migration20261202150100_run_restaurants extends Migration {
  override up(): void {
    this.addSql(
      'alter table sync_run add column canceled_by bigint, add column organization_id bigint',
    );
    this.addSql('alter table sync_shrink_acceptance add column organization_ids bigint[]');
  }

  override down(): void {
    this.addSql('alter table sync_shrink_acceptance drop column organization_ids');
    this.addSql('alter table sync_run drop column canceled_by, drop column organization_id');
  }
}
