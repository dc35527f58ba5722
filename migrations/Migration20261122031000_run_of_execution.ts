import { Migration } from '@mikro-orm/migrations';

/** The execution that has opened a run: opening it again finds the same record. */
export class Migration20261122031000_run_of_execution extends Migration {
  override up(): void {
    this.addSql('alter table sync_run add column workflow_run_id text null');
    this.addSql('alter table sync_run add constraint sync_run_execution_unique unique (workflow_id, workflow_run_id)');
  }

  override down(): void {
    this.addSql('alter table sync_run drop column workflow_run_id');
  }
}
