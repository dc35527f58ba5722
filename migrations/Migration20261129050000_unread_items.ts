import { Migration } from '@mikro-orm/migrations';

/** Adds the staging table of items with unreadable rows in an answer (rule MIR-71). */
export class Migration20261129050000_unread_items extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table stage_unread_item (
        run_id bigint not null,
        batch int not null,
        attempt int not null,
        role text not null,
        erp_id uuid
      )`);
    this.addSql('create index stage_unread_item_run on stage_unread_item (run_id)');
  }

  override down(): void {
    this.addSql('drop table stage_unread_item');
  }
}
