import { openDatabase, type Database } from './text-database.ts';
import { inOwnerSession } from './database-roles.ts';
import { tableNames } from './whole-schema.ts';

const OUTSIDER = 'carte-test-outsider';
/** Columns of pending imports, which other modules set. */
const OWED = ['full_due', 'dirty_seq', 'dirty_at'];

/**
 * Opens a pool whose statements fail if they write a mirror table. Other sessions are not affected.
 */
export async function outsiderDatabase(db: Database, url: string): Promise<Database> {
  const owed = `array[${OWED.map((column) => `'${column}'`).join(', ')}]`;
  const guard = `create or replace function mirror_guard() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and to_jsonb(old) - ${owed} = to_jsonb(new) - ${owed} then return new; end if;
      if tg_op = 'INSERT' and tg_table_name = 'mirror_stop_list_state' and to_jsonb(new) -> 'synchronized_at' = 'null' then return new; end if;
      raise exception '% is written by nothing but imports', tg_table_name using errcode = 'insufficient_privilege';
    end $$`;
  const triggers = (await mirrorTables(db)).map(
    (
      table,
    ) => `create or replace trigger mirror_guard before insert or update or delete on ${table} for each row
      when (current_setting('application_name') = '${OUTSIDER}') execute function mirror_guard();
`,
  );
  await inOwnerSession(db, async (client) => {
    // PostgreSQL rejects concurrent changes of a function, and a test may start two APIs at once.
    await client.query('select pg_advisory_lock(1)');
    await client.query([guard, ...triggers].join(';'));
  });
  return openDatabase({ url, applicationName: OUTSIDER });
}

export async function mirrorTables(db: Database): Promise<string[]> {
  return (await tableNames(db)).filter((name) => name.startsWith('mirror_'));
}
