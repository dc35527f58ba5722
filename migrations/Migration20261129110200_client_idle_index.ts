import { IndexMigration } from './support/index-migration.ts';

/** Replaces the index by which idle clients are found (rule CLI-5). */
export class Migration20261129110200_client_idle_index extends IndexMigration {
  override readonly indexes = {
    compensation_client_idle: 'compensation_client (coalesce(idle_since, created_at)) where phone_digest is not null',
  };

  override up(): void {
    super.up();
    this.addSql('drop index concurrently if exists compensation_client_age');
  }

  override down(): void {
    this.addSql(
      'create index concurrently compensation_client_age on compensation_client (created_at) where phone_digest is not null',
    );
    super.down();
  }
}
