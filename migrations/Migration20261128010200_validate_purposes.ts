import { Migration } from '@mikro-orm/migrations';

/** Validates the purposes of personal data while guests read and write. */
export class Migration20261128010200_validate_purposes extends Migration {
  override up(): void {
    this.addSql('alter table personal_data validate constraint personal_data_purpose_check');
  }

  override down(): void {
    // A validated constraint stays valid for the former purposes.
  }
}
