import { Migration } from '@mikro-orm/migrations';

/**
 * What alerts and retention ask for: the last success of an import however many failures came after it, since when a menu is
 * due without a break, how the sending of a notice ended, and the age of ended runs.
 */
export class Migration20261121100000_observability extends Migration {
  override up(): void {
    this.addSql(`create index sync_run_success_index on sync_run (connection_id, job, external_menu_id, id desc)
      where status in ('SUCCESS', 'SKIPPED')`);
    this.addSql('create index sync_run_started_index on sync_run (started_at)');
    this.addSql('alter table external_menu_setting add column due_since timestamptz not null default now()');
    this.addSql(
      `alter table notification add column send_ended_at timestamptz null, add column sent_channels text[] not null default '{}'`,
    );
    this.addSql(
      'create index notification_unsent_index on notification (id) where sent_at is null and resolved_at is null',
    );
  }

  override down(): void {
    this.addSql('drop index notification_unsent_index');
    this.addSql('alter table notification drop column sent_channels, drop column send_ended_at');
    this.addSql('alter table external_menu_setting drop column due_since');
    this.addSql('drop index sync_run_started_index');
    this.addSql('drop index sync_run_success_index');
  }
}
