import { Migration } from '@mikro-orm/migrations';

const COLUMNS = `
alter table gift_reconciliation
  add column fingerprint text null,
  add column accepted_fingerprint text null,
  add column accepted_at timestamptz null,
  add column accepted_by_user_id bigint null,
  add column acceptance_reason text null,
  add constraint gift_reconciliation_acceptance check ((accepted_fingerprint is null) = (acceptance_reason is null)
                                                   and (accepted_fingerprint is null) = (accepted_at is null))`;

/** Differences of a day that staff have accepted, because nothing can mend them. */
export class Migration20261123100000_accepted_gift_days extends Migration {
  override up(): void {
    this.addSql(COLUMNS);
    this.addSql('drop index gift_reconciliation_differing');
    this.addSql(
      `create index gift_reconciliation_differing on gift_reconciliation (connection_id)
        where differing_orders > 0 and (accepted_fingerprint = fingerprint) is not true`,
    );
    this.addSql(
      `create index gift_reconciliation_accepted on gift_reconciliation (connection_id) where accepted_fingerprint is not null`,
    );
  }

  override down(): void {
    this.addSql('drop index gift_reconciliation_accepted');
    this.addSql('drop index gift_reconciliation_differing');
    this.addSql(
      'create index gift_reconciliation_differing on gift_reconciliation (connection_id) where differing_orders > 0',
    );
    this.addSql('alter table gift_reconciliation drop constraint gift_reconciliation_acceptance');
    for (const column of [
      'fingerprint',
      'accepted_fingerprint',
      'accepted_at',
      'accepted_by_user_id',
      'acceptance_reason',
    ])
      this.addSql(`alter table gift_reconciliation drop column ${column}`);
  }
}
