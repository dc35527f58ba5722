import { Migration } from '@mikro-orm/migrations';

/**
 * Removes the tasks that workers repeated without Temporal, and announces committed events to the
 * relay that numbers them (rule OPS-42).
 */
export class Migration20261201090000_loops extends Migration {
  override up(): void {
    this.addSql(`
      -- squawk-ignore ban-drop-table
      drop table periodic_task`);
    this.addSql(`
      create function announce_public_events() returns trigger language plpgsql as $$
      begin
        perform pg_notify('carte_events', '');
        return null;
      end $$`);
    this.addSql(`
      create trigger public_event_announced after insert on public_event
        for each statement execute function announce_public_events()`);
  }

  override down(): void {
    this.addSql('drop trigger public_event_announced on public_event');
    this.addSql('drop function announce_public_events()');
    this.addSql(`
      create table periodic_task (
        name text primary key,
        due_at timestamptz not null,
        lease uuid,
        leased_until timestamptz,
        created_at timestamptz not null default now(),
        started_at timestamptz,
        succeeded_at timestamptz,
        duration_ms double precision,
        failures int not null default 0,
        last_error text
      )`);
  }
}
