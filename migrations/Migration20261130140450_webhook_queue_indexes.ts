import { IndexMigration } from './support/index-migration.ts';

/** Adds indexes by which waiting, failing and failed deliveries of an endpoint are found. */
export class Migration20261130140450_webhook_queue_indexes extends IndexMigration {
  override readonly indexes = {
    webhook_delivery_waiting:
      'webhook_delivery (endpoint_id, is_replay, subject, id) where is_pending',
    webhook_delivery_failing:
      'webhook_delivery (endpoint_id, failing_since) where is_pending and failing_since is not null',
    webhook_delivery_failed: 'webhook_delivery (endpoint_id, id) where failed_at is not null',
  };
}
