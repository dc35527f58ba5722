import { Migration } from '@mikro-orm/migrations';

/** The trace that an event goes on with: a `traceparent` of W3C, null when nothing was traced. */
export class Migration20261125020000_outbox_trace extends Migration {
  override up(): void {
    this.addSql('alter table outbox add column traceparent text null');
  }

  override down(): void {
    this.addSql('alter table outbox drop column traceparent');
  }
}
