import { withClient } from '../../tools/postgres.ts';
import { toOwnerUrl } from './database-roles.ts';

export type DatabaseClock = { advance: (ms: number) => Promise<void> };

/**
 * Freezes `statement_timestamp()` in new sessions: a function of that name shadows PostgreSQL's.
 */
export async function stopDatabaseClock(url: string): Promise<DatabaseClock> {
  const owner = toOwnerUrl(url);
  await withClient(owner, async (client) => {
    await client.query(`
      create schema stopped_clock;
      create table stopped_clock.moment as select date_trunc('second', now()) as at;
      create function stopped_clock.statement_timestamp() returns timestamptz language sql stable
        as 'select at from stopped_clock.moment';
      grant usage on schema stopped_clock to public;
      grant select on stopped_clock.moment to public;`);
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter database %I set search_path = stopped_clock, pg_catalog, public', current_database()) as statement`,
    );
    await client.query(rows[0]!.statement);
  });
  return {
    advance: (ms) =>
      withClient(owner, async (client) => {
        await client.query(
          `update stopped_clock.moment set at = at + $1 * interval '1 millisecond'`,
          [ms],
        );
      }),
  };
}
