import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the state of the polls of orders: the last success, and a reading by date that continues
 * (rules ORD-101, ORD-102).
 */
export class Migration20261128013200_order_poll extends Migration {
  override up(): void {
    this.addSql(`
      create table order_poll (
        connection_id bigint primary key references connection (id),
        succeeded_at timestamptz,
        is_too_old boolean not null default false,
        catch_up_revision bigint,
        catch_up_to timestamptz,
        catch_up_at timestamptz
      )`);
  }

  override down(): void {
    this.addSql('drop table order_poll');
  }
}
