import { Migration } from '@mikro-orm/migrations';

const CLEARING = `
create table marker_clearing (
  compensation_id uuid primary key references compensation (id),
  state text not null default 'TO_CLEAR' check (state in ('TO_CLEAR', 'HELD', 'CLEARED')),
  held_by text null,
  tries int not null default 0,
  waits_since timestamptz not null,
  tried_at timestamptz null,
  cleared_at timestamptz null,
  is_as_written boolean null,
  check ((state = 'HELD') = (held_by is not null)),
  check ((state = 'CLEARED') = (cleared_at is not null)))`;

/** Markers of redeemed rights, which are taken away at the ERP; and categories on cards that stand for no gift that may be promised. */
export class Migration20261123013500_marker_clearing extends Migration {
  override up(): void {
    this.addSql(CLEARING);
    this.addSql(`create index marker_clearing_waits on marker_clearing (waits_since) where state <> 'CLEARED'`);
    this.addSql(`
      insert into marker_clearing (compensation_id, waits_since)
      select compensation.id, compensation.redeemed_at from compensation
        join client_marker marker on marker.compensation_id = compensation.id
       where compensation.status = 'REDEEMED'`);
    this.addSql('alter table client_card add column without_reward int not null default 0');
  }

  override down(): void {
    this.addSql('alter table client_card drop column without_reward');
    this.addSql('drop table marker_clearing');
  }
}
