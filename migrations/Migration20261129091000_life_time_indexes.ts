import { IndexMigration } from './support/index-migration.ts';

/** Adds indexes by which outdated rows, faulty cards and clients of a phone are found (OPS-81). */
export class Migration20261129091000_life_time_indexes extends IndexMigration {
  override readonly indexes = {
    notification_resolved: 'notification (resolved_at) where resolved_at is not null',
    compensation_client_age: 'compensation_client (created_at) where phone_digest is not null',
    compensation_client_phone: 'compensation_client (phone_digest) where phone_digest is not null',
    client_card_faulty:
      'client_card (read_at) where damaged > 0 or unknown > 0 or without_reward > 0',
    window_count_ended: 'window_count (ends_at)',
  };
}
