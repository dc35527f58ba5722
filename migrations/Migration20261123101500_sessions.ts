import { Migration } from '@mikro-orm/migrations';

/** How and in which program somebody has signed in. The default is for processes of the release before, which run beside this one for a while. */
export class Migration20261123101500_sessions extends Migration {
  override up(): void {
    this.addSql(
      `alter table access_session add column method text not null default 'PASSWORD' check (method in ('PASSWORD', 'SSO')),
         add column user_agent text null`,
    );
  }

  override down(): void {
    this.addSql('alter table access_session drop column method, drop column user_agent');
  }
}
