import { Migration } from '@mikro-orm/migrations';

/** Adds the places within the limits of orders that orders have taken (rule ORD-121). */
export class Migration20261129100000_order_claim extends Migration {
  override up(): void {
    this.addSql(`
      create table order_claim (
        order_id uuid not null,
        key text not null,
        claimed_at timestamptz not null default now(),
        primary key (order_id, key)
      )`);
    this.addSql('create index order_claim_key on order_claim (key, claimed_at)');
    this.addSql('create index order_claim_claimed_at on order_claim (claimed_at)');
  }

  override down(): void {
    this.addSql('drop table order_claim');
  }
}
