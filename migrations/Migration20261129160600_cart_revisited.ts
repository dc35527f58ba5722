import { Migration } from '@mikro-orm/migrations';

/**
 * Adds whether a cart was used again after its creation: a guest's cart that was not lives 2 days
 * only (rule ORD-126). Existing carts are kept as used.
 */
export class Migration20261129160600_cart_revisited extends Migration {
  override up(): void {
    this.addSql('alter table cart add column is_revisited boolean not null default true');
    this.addSql('alter table cart alter column is_revisited set default false');
  }

  override down(): void {
    this.addSql('alter table cart drop column is_revisited');
  }
}
