import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the queue of each subject with waiting deliveries, the lane of replays, and deliveries that
 * were set aside (rules EVT-36 to EVT-39).
 */
export class Migration20261130140400_webhook_queue extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_queue (
        endpoint_id bigint not null references webhook_endpoint (id) on delete cascade,
        is_replay boolean not null,
        subject text not null,
        is_failing boolean not null default false,
        next_attempt_at timestamptz not null default now(),
        revision int not null default 1,
        primary key (endpoint_id, is_replay, subject)
      )`);
    this.addSql(
      'create index webhook_queue_due on webhook_queue (endpoint_id, is_replay, next_attempt_at)',
    );
    this.addSql('alter table webhook_endpoint add column last_accepted_at timestamptz');
    this.addSql(`
      -- No release has this column.
      -- squawk-ignore ban-drop-column
      alter table webhook_endpoint drop column is_full`);
    this.addSql(`
      alter table webhook_delivery add column is_replay boolean not null default false, add column failed_at timestamptz`);
    this.addSql(`
      insert into webhook_queue (endpoint_id, is_replay, subject, is_failing, next_attempt_at)
      select distinct on (endpoint_id, subject) endpoint_id, false, subject, failing_since is not null, next_attempt_at
        from webhook_delivery where is_pending order by endpoint_id, subject, id`);
    this.addSql(`
      update webhook_endpoint endpoint
         set last_accepted_at = (select max(delivered_at) from webhook_delivery where endpoint_id = endpoint.id)`);
    this.addSql(`
      -- No release has this index.
      -- squawk-ignore require-concurrent-index-deletion
      drop index webhook_delivery_pending`);
    this.addSql(`
      -- No release has this column.
      -- squawk-ignore ban-drop-column
      alter table webhook_delivery drop column next_attempt_at`);
  }

  override down(): void {
    this.addSql(
      'alter table webhook_delivery add column next_attempt_at timestamptz not null default now()',
    );
    this.addSql(`
      update webhook_delivery delivery set next_attempt_at = queue.next_attempt_at
        from webhook_queue queue
       where queue.endpoint_id = delivery.endpoint_id and queue.is_replay = delivery.is_replay
         and queue.subject = delivery.subject and delivery.is_pending`);
    // Former releases have no deliveries that were set aside: these wait again.
    this.addSql('update webhook_delivery set is_pending = true where failed_at is not null');
    this.addSql('alter table webhook_delivery drop column is_replay, drop column failed_at');
    this.addSql(
      'create index webhook_delivery_pending on webhook_delivery (endpoint_id, subject, id) where is_pending',
    );
    this.addSql(
      'alter table webhook_endpoint drop column last_accepted_at, add column is_full boolean not null default false',
    );
    this.addSql('drop table webhook_queue');
  }
}
