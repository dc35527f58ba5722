import { Migration } from '@mikro-orm/migrations';

/** Adds the members of notifications that group causes (rule ORD-127). */
export class Migration20261129110000_notification_member extends Migration {
  override up(): void {
    this.addSql(`
      create table notification_member (
        notification_id bigint not null references notification (id) on delete cascade,
        member_id text not null,
        resolved_at timestamptz,
        primary key (notification_id, member_id)
      )`);
    this.addSql(
      'create index notification_member_open on notification_member (member_id) where resolved_at is null',
    );
  }

  override down(): void {
    this.addSql('drop table notification_member');
  }
}
