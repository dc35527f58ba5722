import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';

export async function tableNames({ db }: Sql): Promise<string[]> {
  const names = sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  return (await names.execute(db)).rows.map(({ name }) => name);
}

export async function rowTexts(
  { db }: Sql,
  table: string,
  id?: number | string,
): Promise<string[]> {
  const only = id === undefined ? sql`` : sql`where each.id = ${id}`;
  const texts = sql<{
    text: string;
  }>`select each::text as text from ${sql.table(table)} each ${only}`;
  return (await texts.execute(db)).rows.map(({ text }) => text);
}

export async function tablesWith(db: Sql, has: (text: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const name of await tableNames(db))
    if ((await rowTexts(db, name)).some(has)) found.push(name);
  return found;
}

/** Size and newest transaction id of each mirror table, equal while there are no writes. */
export async function mirrorWrites({ db }: Sql): Promise<Record<string, string>> {
  const states: Record<string, string> = {};
  // The reconciler writes the time of its last run into this table, independent of imports.
  const names = (await tableNames({ db })).filter(
    (name) => name.startsWith('mirror') && name !== 'mirror_reconciled',
  );
  for (const name of names) {
    const state = sql<{ state: string }>`
      select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as state from ${sql.table(name)}`;
    states[name] = (await state.execute(db)).rows[0]!.state;
  }
  return states;
}

export async function waitingSessions({ db }: Sql): Promise<number> {
  const sessions = sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await sessions.execute(db)).rows[0]!.count;
}
