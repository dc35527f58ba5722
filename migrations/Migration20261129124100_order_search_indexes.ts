import { IndexMigration } from './support/index-migration.ts';

/** Adds indexes by which orders are listed with any filter and found (ORD-134). */
export class Migration20261129124100_order_search_indexes extends IndexMigration {
  override readonly indexes = {
    customer_order_number: 'customer_order (number)',
    customer_order_erp_number: 'customer_order (erp_number) where erp_number is not null',
    customer_order_organization: 'customer_order (organization_id, accepted_at desc, id)',
    customer_order_state: 'customer_order (state, accepted_at desc, id)',
    customer_order_organization_state:
      'customer_order (organization_id, state, accepted_at desc, id)',
    erp_order_number: 'erp_order (number) where moved_to is null',
    erp_order_state: 'erp_order (state, placed_at desc, id) where moved_to is null',
    erp_order_organization_state:
      'erp_order (organization_id, state, placed_at desc, id) where moved_to is null',
    personal_data_phone: 'personal_data (phone_digest) where phone_digest is not null',
  };
}
