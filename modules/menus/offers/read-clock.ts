import type { Sql } from '../../../platform/db/database.ts';

/** Returns null if no time zone is set. */
export async function readTimeZone({ db }: Sql, organizationId: number): Promise<string | null> {
  const clock = await db
    .selectFrom('organization_clock')
    .select('timeZone')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();

  return clock?.timeZone ?? null;
}
