import { Migration } from '@mikro-orm/migrations';

/**
 * When a row of the outbox may be tried (again), which is also the end of the lease of whoever tries it now; since when nobody tries
 * it any more; and the request that wrote it.
 */
export class Migration20261122030000_outbox_lease extends Migration {
  override up(): void {
    this.addSql(`alter table outbox add column next_attempt_at timestamptz not null default now(),
      add column parked_at timestamptz null, add column request_id text null`);
    this.addSql(
      'create index outbox_due_index on outbox (next_attempt_at, id) where delivered_at is null and parked_at is null',
    );
    this.addSql('drop index outbox_pending_index');
  }

  override down(): void {
    this.addSql('create index outbox_pending_index on outbox (id) where delivered_at is null');
    this.addSql('drop index outbox_due_index');
    this.addSql('alter table outbox drop column request_id, drop column parked_at, drop column next_attempt_at');
  }
}
