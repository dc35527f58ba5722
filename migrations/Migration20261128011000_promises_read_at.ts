import { Migration } from '@mikro-orm/migrations';

/** Adds when the promises of a client's card were last compared with the rewards. */
export class Migration20261128011000_promises_read_at extends Migration {
  override up(): void {
    this.addSql('alter table client_card add column promises_read_at timestamptz');
    this.addSql('update client_card set promises_read_at = read_at');
  }

  override down(): void {
    this.addSql('alter table client_card drop column promises_read_at');
  }
}
