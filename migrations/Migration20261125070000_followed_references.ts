import { Migration } from '@mikro-orm/migrations';

/** What a deletion follows, and the places of a dish, which every cart asks for, are found without reading whole tables. */
export class Migration20261125070000_followed_references extends Migration {
  override up(): void {
    this.addSql('create index mirror_item_placement_item on mirror_item_placement (item_id)');
    for (const [table, column] of FOLLOWED)
      this.addSql(`create index ${table}_${column} on ${table} (${column}) where ${column} is not null`);
  }

  override down(): void {
    this.addSql('drop index mirror_item_placement_item');
    for (const [table, column] of FOLLOWED) this.addSql(`drop index ${table}_${column}`);
  }
}

const FOLLOWED = [
  ['compensation_conflict', 'client_id'],
  ['discount_use', 'order_id'],
  ['service_role', 'variant_id'],
  ['webhook_secret', 'connection_id'],
] as const;
