import { Migration } from '@mikro-orm/migrations';

/** A deleted user keeps his row, because audit and runs name it, but no personal data, and frees his e-mail. */
export class Migration20261121130000_users extends Migration {
  override up(): void {
    this.addSql('alter table access_user add column deleted_at timestamptz null');
    this.addSql('drop index access_user_email_unique');
    this.addSql('create unique index access_user_email_unique on access_user (lower(email)) where deleted_at is null');
  }

  override down(): void {
    this.addSql('drop index access_user_email_unique');
    this.addSql('create unique index access_user_email_unique on access_user (lower(email))');
    this.addSql('alter table access_user drop column deleted_at');
  }
}
