import { IndexMigration } from './support/index-migration.ts';

/** Replaces the index by which uses of a discount by a customer are found (ORD-103). */
export class Migration20261129090500_discount_use_owner extends IndexMigration {
  override readonly indexes = {
    discount_use_owner: 'discount_use (customer_id, discount_id) where customer_id is not null',
  };

  override up(): void {
    super.up();
    this.addSql('drop index concurrently if exists discount_use_customer');
  }

  override down(): void {
    this.addSql(
      'create index concurrently discount_use_customer on discount_use (customer_id) where customer_id is not null',
    );
    super.down();
  }
}
