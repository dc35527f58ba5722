import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps the day on which an answer of the geocoder came instead of its moment, also in what is
 * stored already, so that an answer cannot be linked to the cart of a guest (rule FUL-60).
 */
export class Migration20261128012100_geocoder_answer_day extends Migration {
  override up(): void {
    this.addSql(`
      -- A cache of at most GEOCODER_CACHE_ROWS rows.
      alter table geocoder_answer
        alter column created_at drop default,
        -- squawk-ignore changing-column-type
        alter column created_at type date using (created_at at time zone 'UTC')::date`);
    this.addSql(
      `alter table geocoder_answer alter column created_at set default (now() at time zone 'UTC')::date`,
    );
    this.addSql(
      `update geocoder_answer set expires_at = date_bin('1 day', expires_at, timestamptz 'epoch')`,
    );
  }

  override down(): void {
    this.addSql(`
      alter table geocoder_answer
        alter column created_at drop default,
        alter column created_at type timestamptz using created_at::timestamp at time zone 'UTC'`);
    this.addSql('alter table geocoder_answer alter column created_at set default now()');
  }
}
