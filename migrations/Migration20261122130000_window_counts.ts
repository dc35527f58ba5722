import { Migration } from '@mikro-orm/migrations';

/** One table for everything that may happen so often in a window. What was counted before is forgotten. */
export class Migration20261122130000_window_counts extends Migration {
  override up(): void {
    this.addSql(
      'create unlogged table window_count (key text primary key, times int not null, ends_at timestamptz not null)',
    );
    this.addSql('drop table access_login_throttle');
    this.addSql('drop table promocode_throttle');
  }

  override down(): void {
    for (const table of ['access_login_throttle', 'promocode_throttle'])
      this.addSql(
        `create table ${table} (key text primary key, attempts int not null, window_ends_at timestamptz not null)`,
      );
    this.addSql('drop table window_count');
  }
}
