import { Migration } from '@mikro-orm/migrations';

/** For how many persons a dish is, and how much cutlery and sugar goes with it: what the composition of an order counts. */
export class Migration20261122094000_persons_of_variants extends Migration {
  override up(): void {
    this.addSql(`
      alter table catalog_variant
        add column person_count int not null default 0 check (person_count between 0 and 100),
        add column person_splitting_enabled boolean not null default false,
        add column tool_count int not null default 0 check (tool_count between 0 and 100),
        add column sugar_count int not null default 0 check (sugar_count between 0 and 100)`);
  }

  override down(): void {
    this.addSql(`
      alter table catalog_variant drop column person_count, drop column person_splitting_enabled,
        drop column tool_count, drop column sugar_count`);
  }
}
