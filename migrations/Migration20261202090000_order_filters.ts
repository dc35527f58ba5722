import { IndexMigration } from './support/index-migration.ts';

/** Adds the indexes behind filters of the list of orders (ORD-170). */
export class Migration20261202090000_order_filters extends IndexMigration {
  override readonly indexes = {
    customer_order_problem:
      'customer_order (problem, accepted_at desc, id) where problem is not null',
    customer_order_due: 'customer_order (due_at)',
    erp_order_open:
      "erp_order (placed_at desc, id) where moved_to is null and state not in ('CLOSED', 'CANCELLED', 'FAILED')",
    erp_order_due: 'erp_order (due_at) where moved_to is null and due_at is not null',
  };
}
