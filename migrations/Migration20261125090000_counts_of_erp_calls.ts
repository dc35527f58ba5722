import { Migration } from '@mikro-orm/migrations';

/** A count of calls to the ERP is worth nothing after its second: it need not wait for the disk (decision 57). */
export class Migration20261125090000_counts_of_erp_calls extends Migration {
  override up(): void {
    this.addSql('alter table erp_rate_limit set unlogged');
  }

  override down(): void {
    this.addSql('alter table erp_rate_limit set logged');
  }
}
