import { openDatabase, type Database } from './text-database.ts';
import { inOwnerSession } from './database-roles.ts';
import { tableNames } from './whole-schema.ts';

/** Sessions of this name may read the mirror and not write it. */
const OUTSIDER = 'carte-test-outsider';
/**
 * The columns of an import's pending work: our own columns in mirrored tables, set by the modules
 * that detect the work (docs/decisions/0017-models-and-chaos.md).
 */
const OWED = ['full_due', 'dirty_seq', 'dirty_at'];

/**
 * A pool of its own on a migrated database, whose statements fail when they write a table of the
 * mirror. Other sessions, such as those of imports and of the test itself, write it as before.
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
    (table) => `create or replace trigger mirror_guard before insert or update or delete on ${table} for each row
      when (current_setting('application_name') = '${OUTSIDER}') execute function mirror_guard();
`,
  );
  await inOwnerSession(db, async (client) => {
    // Two APIs of one test start at once, and PostgreSQL rejects concurrent changes of a function.
    await client.query('select pg_advisory_lock(1)');
    await client.query([guard, ...triggers].join(';'));
  });
  return openDatabase({ url, applicationName: OUTSIDER });
}

/** The tables of the mirror. */
export async function mirrorTables(db: Database): Promise<string[]> {
  return (await tableNames(db)).filter((name) => name.startsWith('mirror_'));
}
