import { Migration } from '@mikro-orm/migrations';

/** How and in which program somebody has signed in: sessions differ in their life, and people recognize their own. */
export class Migration20261123101500_sessions extends Migration {
  override up(): void {
    this.addSql(
      `alter table access_session add column method text not null default 'PASSWORD' check (method in ('PASSWORD', 'SSO')),
         add column user_agent text null`,
    );
    this.addSql('alter table access_session alter column method drop default');
  }

  override down(): void {
    this.addSql('alter table access_session drop column method, drop column user_agent');
  }
}
