import { Migration } from '@mikro-orm/migrations';

/** Adds the view of organizations that may be named in a request about several. */
export class Migration20261127112000_answered_organization extends Migration {
  override up(): void {
    this.addSql(`
      create view answered_organization as
      select organization.id, organization.connection_id, organization.erp_id
        from served_organization organization
       where not exists (select from refused_organization refused
                          where refused.organization_id = organization.id and refused.job in ('STOP_LIST', 'TERMINALS')
                            and refused.status in (400, 403))`);
    this.addSql(`
      comment on view answered_organization is
        'Served organizations that the ERP does not refuse: a request about several that names a refused one is refused as a whole.'`);
  }

  override down(): void {
    this.addSql('drop view answered_organization');
  }
}
