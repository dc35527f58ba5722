import { Migration } from '@mikro-orm/migrations';

const ESCALATION = `
alter table binding_incident
  add column opened_at timestamptz not null default now(),
  add column escalated_at timestamptz null`;

/** Since when an incident is open, and when people were told that nobody takes care of it. */
export class Migration20261124100000_escalated_incidents extends Migration {
  override up(): void {
    this.addSql(ESCALATION);
    this.addSql('update binding_incident set opened_at = detected_at');
  }

  override down(): void {
    this.addSql('alter table binding_incident drop column opened_at, drop column escalated_at');
  }
}
