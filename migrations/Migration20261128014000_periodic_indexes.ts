import { IndexMigration } from './support/index-migration.ts';

/**
 * Adds indexes for statements that run at each scrape, poll and minute over tables that grow
 * (OPS-81).
 */
export class Migration20261128014000_periodic_indexes extends IndexMigration {
  override readonly indexes = {
    customer_order_untaken: `customer_order (accepted_at) where state in ('ACCEPTED', 'SENT')`,
    customer_order_at_erp: 'customer_order (connection_id, ended_at) where sent_at is not null',
    outbox_parked: 'outbox (id) where parked_at is not null and delivered_at is null',
    outbox_delivered: 'outbox (delivered_at) where delivered_at is not null',
    personal_data_age: 'personal_data (purpose, created_at)',
    idempotency_key_age: 'idempotency_key (created_at)',
    access_session_expired: 'access_session (expires_at)',
    geocoder_answer_expired: 'geocoder_answer (expires_at)',
  };
}
