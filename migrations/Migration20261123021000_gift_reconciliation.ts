import { Migration } from '@mikro-orm/migrations';

const RECONCILIATION = `
create table gift_reconciliation (
  day date not null,
  organization_erp_id uuid not null,
  connection_id bigint not null references connection (id),
  at_erp int not null,
  redeemed int not null,
  unauthorized int not null,
  differing_orders int not null,
  checked_at timestamptz not null,
  primary key (day, organization_erp_id))`;

/** What the daily comparison of gifts at the ERP with the rights to them has found. */
export class Migration20261123021000_gift_reconciliation extends Migration {
  override up(): void {
    this.addSql(RECONCILIATION);
    this.addSql('create index gift_reconciliation_connection on gift_reconciliation (connection_id, checked_at)');
    this.addSql(
      'create index gift_reconciliation_differing on gift_reconciliation (connection_id) where differing_orders > 0',
    );
    this.addSql('create index erp_gift_order_own on erp_gift_order (own_order_id) where own_order_id is not null');
    this.addSql('create index compensation_redeemed_at on compensation (redeemed_at) where redeemed_at is not null');
  }

  override down(): void {
    this.addSql('drop index compensation_redeemed_at');
    this.addSql('drop index erp_gift_order_own');
    this.addSql('drop table gift_reconciliation');
  }
}
