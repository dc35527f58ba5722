import { Migration } from '@mikro-orm/migrations';

/** Adds the revisions of organizations that the ERP rejects to polls of orders (rule ORD-117). */
export class Migration20261129060000_refused_order_revision extends Migration {
  override up(): void {
    this.addSql(`
      create table refused_order_revision (
        organization_id bigint primary key references mirror_organization (id) on delete cascade,
        connection_id bigint not null references connection (id) on delete cascade,
        revision bigint,
        polled_at timestamptz not null default now(),
        asked_at timestamptz not null default now()
      )`);
    this.addSql(
      'create index refused_order_revision_connection_id on refused_order_revision (connection_id)',
    );
    this.addSql(`
      comment on table refused_order_revision is
        'How far the orders of organizations were read that the ERP refuses: they are polled alone until they are answered.'`);
  }

  override down(): void {
    this.addSql('drop table refused_order_revision');
  }
}
