import { Migration } from '@mikro-orm/migrations';

/** Addresses of customers and of anonymous carts; what they say is encrypted in `personal_data`. */
export class Migration20261122121500_delivery_addresses extends Migration {
  override up(): void {
    this.addSql(`
      create table delivery_address (
        id uuid primary key,
        customer_id text null,
        cart_id uuid null references cart (id) on delete cascade,
        personal_data_id uuid not null references personal_data (id) on delete cascade,
        precision text null check (precision in ('HOUSE', 'STREET', 'CITY')),
        created_at timestamptz not null default now(),
        check (num_nonnulls(customer_id, cart_id) = 1))`);
    this.addSql(
      'create index delivery_address_customer on delivery_address (customer_id, created_at desc) where customer_id is not null',
    );
    this.addSql('create index delivery_address_cart on delivery_address (cart_id) where cart_id is not null');
    this.addSql('create index delivery_address_personal on delivery_address (personal_data_id)');
    this.addSql(`create index personal_data_of_addresses on personal_data (created_at) where purpose = 'ADDRESS'`);
    this.addSql('alter table cart add column delivery jsonb null');
  }

  override down(): void {
    this.addSql('alter table cart drop column delivery');
    this.addSql('drop index personal_data_of_addresses');
    this.addSql('drop table delivery_address');
  }
}
