import { IndexMigration } from './support/index-migration.ts';

/** Adds the index by which the reasons of an order are found and erased (rule CMP-109). */
export class Migration20261128010100_staff_reason_index extends IndexMigration {
  override readonly indexes = {
    compensation_move_reason:
      'compensation_move (order_id) where reason_id is not null and order_id is not null',
  };
}
