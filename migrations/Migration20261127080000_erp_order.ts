import { Migration } from '@mikro-orm/migrations';

/** Adds orders that the ERP reports and that were not made here. */
export class Migration20261127080000_erp_order extends Migration {
  override up(): void {
    this.addSql(`
      create table erp_order (
        id uuid primary key,
        connection_id bigint not null references connection on delete cascade,
        organization_id bigint not null references mirror_organization on delete cascade,
        erp_timestamp bigint not null,
        moved_to uuid,
        number text not null,
        state text not null,
        fulfillment_type text not null check (fulfillment_type in ('DELIVERY', 'PICKUP')),
        payment_kind text,
        persons integer not null,
        time_zone text not null,
        placed_at timestamptz not null,
        is_asap boolean not null,
        due_at timestamptz,
        total_kopecks bigint not null,
        lines jsonb not null,
        moves jsonb not null,
        phone_digest text,
        erp_customer_id uuid,
        erased_at timestamptz
      )`);
    this.addSql(`
      create index erp_order_phone on erp_order (phone_digest, placed_at desc, id)
       where phone_digest is not null and moved_to is null`);
    this.addSql(
      `create index erp_order_placed on erp_order (placed_at desc, id) where moved_to is null`,
    );
    this.addSql(
      `create index erp_order_organization on erp_order (organization_id, placed_at desc, id)`,
    );
    this.addSql(`create index erp_order_connection on erp_order (connection_id)`);
    this.addSql(`
      create index erp_order_personal on erp_order (placed_at)
       where phone_digest is not null or erp_customer_id is not null`);
    this.addSql(`
      comment on table erp_order is
        'Orders that the ERP reports and that were not made here, by the id of the ERP. Of the guest only a digest of the phone and the id of the ERP are stored; both are erased after order_personal_days.'`);
  }

  override down(): void {
    this.addSql('drop table erp_order');
  }
}
