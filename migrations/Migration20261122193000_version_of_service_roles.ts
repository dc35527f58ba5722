import { Migration } from '@mikro-orm/migrations';

/** Service roles are replaced as a whole, so they have one version. */
export class Migration20261122193000_version_of_service_roles extends Migration {
  override up(): void {
    this.addSql(`
      create table service_role_list (
        only_row boolean primary key default true check (only_row),
        updated_at timestamptz not null default now(),
        version int not null default 1)`);
    this.addSql('insert into service_role_list (only_row) select true where exists (select from service_role)');
  }

  override down(): void {
    this.addSql('drop table service_role_list');
  }
}
