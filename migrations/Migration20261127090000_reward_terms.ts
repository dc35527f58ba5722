import { Migration } from '@mikro-orm/migrations';

/** Adds the term and the reason of rights that markers of the ERP give. */
export class Migration20261127090000_reward_terms extends Migration {
  override up(): void {
    this.addSql(`
      alter table reward
        add column default_term_days int check (default_term_days between 1 and 3650),
        add column default_reason text not null default 'OTHER'
          check (default_reason in ('LATE_DELIVERY', 'SERVICE_ERROR', 'OTHER'))`);
  }

  override down(): void {
    this.addSql('alter table reward drop column default_term_days, drop column default_reason');
  }
}
