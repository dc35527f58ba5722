import type { Sql } from '../../db/database.ts';

/** Organizations a connection imports for, oldest first; `erpId` in lower case. */
export async function activeOrganizations(
  sql: Sql,
  connectionId: number,
): Promise<readonly { id: number; erpId: string }[]> {
  return sql.query<{ id: number; erpId: string }>(
    `select id, erp_id as "erpId" from mirror_organization where connection_id = $1 and inactive_at is null order by id`,
    [connectionId],
  );
}
