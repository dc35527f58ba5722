import { Migration } from '@mikro-orm/migrations';

/** Reservations that came back are counted with every scrape; the ledger has every move of every right. */
export class Migration20261125040000_returned_gifts extends Migration {
  override up(): void {
    this.addSql(`create index compensation_move_released on compensation_move (at) where move = 'RELEASE'`);
  }

  override down(): void {
    this.addSql('drop index compensation_move_released');
  }
}
