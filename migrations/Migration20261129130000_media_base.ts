import { Migration } from '@mikro-orm/migrations';

/** Adds the base of URLs of images, which menus are built with (rules MED-11 and SNP-54). */
export class Migration20261129130000_media_base extends Migration {
  override up(): void {
    this.addSql(`
      create table media_base (
        id smallint primary key constraint media_base_single check (id = 1),
        url text,
        reference_version int not null
      )`);
  }

  override down(): void {
    this.addSql('drop table media_base');
  }
}
