import { Migration } from '@mikro-orm/migrations';

/** Adds the causes of menu revisions with their authors (rule SNP-78). */
export class Migration20261202100000_menu_causes extends Migration {
  override up(): void {
    this.addSql(`create table snapshot_cause (
      organization_id bigint not null references mirror_organization (id),
      source text not null,
      user_id bigint not null,
      first_seq bigint not null,
      last_seq bigint not null,
      at timestamptz not null default now(),
      primary key (organization_id, source, user_id)
    )`);
    this.addSql(`alter table snapshot_revision add column causes jsonb not null default '[]'`);
  }

  override down(): void {
    this.addSql('alter table snapshot_revision drop column causes');
    this.addSql('drop table snapshot_cause');
  }
}
