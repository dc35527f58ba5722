import { Migration } from '@mikro-orm/migrations';

/**
 * Adds when a size of a dish left its last menu, and which part of a lost dish an incident is
 * about. Sizes that no menu lists are lost from now on, so that their grace begins now.
 */
export class Migration20261127111000_lost_sizes extends Migration {
  override up(): void {
    this.addSql(
      'alter table mirror_item_size add column deleted_at timestamptz, add column last_run bigint',
    );
    this.addSql(`
      update mirror_item_size size set deleted_at = now()
       where not exists (select from mirror_size_menu membership where membership.item_size_id = size.id)`);
    this.addSql(
      `alter table binding_incident add column lost text check (lost in ('ITEM', 'SIZE'))`,
    );
    this.addSql(`update binding_incident set lost = 'ITEM' where type = 'ITEM_MISSING'`);
  }

  override down(): void {
    this.addSql('alter table binding_incident drop column lost');
    this.addSql('alter table mirror_item_size drop column deleted_at, drop column last_run');
  }
}
