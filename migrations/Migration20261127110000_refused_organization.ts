import { Migration } from '@mikro-orm/migrations';

/** Adds organizations that the ERP rejects for single imports of a connection. */
export class Migration20261127110000_refused_organization extends Migration {
  override up(): void {
    this.addSql(`
      create table refused_organization (
        organization_id bigint not null references mirror_organization on delete cascade,
        job text not null,
        external_menu_id bigint not null default 0,
        endpoint text not null,
        status smallint,
        refused_at timestamptz not null default now(),
        asked_at timestamptz not null default now(),
        primary key (organization_id, job, external_menu_id)
      )`);
    this.addSql(`
      comment on table refused_organization is
        'Organizations that the ERP refuses to an import while it answers others of the connection: they are asked about alone and keep what they had.'`);
  }

  override down(): void {
    this.addSql('drop table refused_organization');
  }
}
