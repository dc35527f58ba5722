import type { Sql } from '../../db/database.ts';

/** Organizations a connection imports for, oldest first; `erpId` in lower case. */
export async function activeOrganizations(
  { db }: Sql,
  connectionId: number,
): Promise<readonly { id: number; erpId: string }[]> {
  return db
    .selectFrom('served_organization')
    .select(['id', 'erpId'])
    .where('connectionId', '=', connectionId)
    .orderBy('id')
    .execute();
}
