import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the name of the acting process to the audit, and references to the reasons that staff have
 * typed. `npm run migrate` moves the reasons that are stored as text.
 */
export class Migration20261128010000_staff_reasons extends Migration {
  override up(): void {
    this.addSql(`alter table audit_entry add column actor_name text, add column reason_id uuid`);
    // Processes of the former release continue sealing: what their seals cover is form 1.
    this.addSql(
      `alter table audit_seal add column form smallint not null default 1 check (form in (1, 2))`,
    );
    this.addSql('alter table compensation add column reason_comment_id uuid');
    for (const table of REASONED) this.addSql(`alter table ${table} add column reason_id uuid`);
    this.addSql(`
      -- One row for each restaurant and day.
      alter table gift_reconciliation add column acceptance_reason_id uuid,
        drop constraint gift_reconciliation_acceptance,
        -- squawk-ignore constraint-missing-not-valid
        add constraint gift_reconciliation_acceptance
          check ((accepted_fingerprint is null) = (acceptance_reason is null and acceptance_reason_id is null)
            and (accepted_fingerprint is null) = (accepted_at is null))`);
    this.addSql(purposes(`'ADDRESS', 'ORDER', 'CLIENT', 'COMMENT', 'REASON'`));
  }

  override down(): void {
    this.addSql(`delete from personal_data where purpose = 'REASON'`);
    this.addSql(purposes(`'ADDRESS', 'ORDER', 'CLIENT', 'COMMENT'`));
    this.addSql(`
      alter table gift_reconciliation drop constraint gift_reconciliation_acceptance,
        drop column acceptance_reason_id`);
    this.addSql(
      `update gift_reconciliation set acceptance_reason = '' where acceptance_reason is null and accepted_at is not null`,
    );
    this.addSql(`
      alter table gift_reconciliation add constraint gift_reconciliation_acceptance
        check ((accepted_fingerprint is null) = (acceptance_reason is null)
          and (accepted_fingerprint is null) = (accepted_at is null))`);
    for (const table of REASONED) this.addSql(`alter table ${table} drop column reason_id`);
    this.addSql('alter table compensation drop column reason_comment_id');
    this.addSql('alter table audit_seal drop column form');
    this.addSql('alter table audit_entry drop column actor_name, drop column reason_id');
  }
}

const REASONED = [
  'compensation_move',
  'compensation_conflict',
  'compensation_candidate',
  'unauthorized_gift',
];

const purposes = (list: string) => `
  alter table personal_data drop constraint personal_data_purpose_check,
    add constraint personal_data_purpose_check check (purpose in (${list})) not valid`;
