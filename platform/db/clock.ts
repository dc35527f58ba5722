import { sql } from 'kysely';
import type { Sql } from './database.ts';

/** Returns the database clock, which decides deadlines for all processes (ORD-108). */
export async function readClock({ db }: Sql): Promise<Date> {
  const { at } = await db
    .selectNoFrom(sql<Date>`clock_timestamp()`.as('at'))
    .executeTakeFirstOrThrow();
  return at;
}
