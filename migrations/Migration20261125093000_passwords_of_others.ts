import { Migration } from '@mikro-orm/migrations';

/** A password that somebody else has set is for one sign-in: what two people know proves nothing (rule ACC-27). */
export class Migration20261125093000_passwords_of_others extends Migration {
  override up(): void {
    this.addSql('alter table access_user add column must_change_password boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table access_user drop column must_change_password');
  }
}
