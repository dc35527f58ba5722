import { Migration } from '@mikro-orm/migrations';

/** What search engines show of the page of a category. */
export class Migration20261122122500_texts_of_categories extends Migration {
  override up(): void {
    this.addSql(`alter table catalog_category add column seo_title text null, add column seo_description text null`);
  }

  override down(): void {
    this.addSql(`alter table catalog_category drop column seo_title, drop column seo_description`);
  }
}
