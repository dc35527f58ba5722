import { Migration } from '@mikro-orm/migrations';

/** Adds the times of the evaluations of single connections (rule BND-7). */
export class Migration20261201100000_binding_evaluation extends Migration {
  override up(): void {
    this.addSql(
      `alter table binding_evaluation add column connections jsonb not null default '{}'`,
    );
  }

  override down(): void {
    this.addSql('alter table binding_evaluation drop column connections');
  }
}
