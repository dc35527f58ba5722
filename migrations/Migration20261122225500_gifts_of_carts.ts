import { Migration } from '@mikro-orm/migrations';

/** What a client wants about the gifts of a cart. */
export class Migration20261122225500_gifts_of_carts extends Migration {
  override up(): void {
    this.addSql(`alter table cart add column gift_choices jsonb not null default '[]'::jsonb`);
  }

  override down(): void {
    this.addSql('alter table cart drop column gift_choices');
  }
}
