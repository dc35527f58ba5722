import { IndexMigration } from './support/index-migration.ts';

/** Adds an index by which retention finds decisions in the rows of orders (rule ORD-104). */
export class Migration20261129093000_former_decisions extends IndexMigration {
  override readonly indexes = {
    customer_order_former_decision: 'customer_order (accepted_at) where decision is not null',
  };
}
