import { Migration } from '@mikro-orm/migrations';

/** Which answer an endpoint refuses with (all earlier ones were 401), and since when the external system has withdrawn a menu. */
export class Migration20261121180000_public_contour extends Migration {
  override up(): void {
    this.addSql('alter table erp_refusal add column status smallint not null default 401');
    this.addSql('alter table mirror_external_menu add column withdrawn_at timestamptz null');
  }

  override down(): void {
    this.addSql('alter table erp_refusal drop column status');
    this.addSql('alter table mirror_external_menu drop column withdrawn_at');
  }
}
