import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import { pausedCondition } from './pauses/is-paused.ts';

const PAUSED = pausedCondition({
  job: sql`'STOP_LIST'`,
  connectionId: sql.ref('organization.connection_id'),
  externalMenuId: sql`null`,
});

export type MarkedStopList = { organizationId: number; connectionId: number; erpId: string };

/**
 * Flags stop-lists as outdated. Returns the active organizations among the given ones. Locks rows
 * in id order, like the import. Idempotent.
 */
export async function markStopListsDirty(
  tx: Sql,
  organizationErpIds: readonly string[],
): Promise<MarkedStopList[]> {
  if (organizationErpIds.length === 0) return [];
  const organizations = await tx.db
    .selectFrom('served_organization')
    .select(['id as organizationId', 'connectionId', 'erpId'])
    .where('erpId', 'in', organizationErpIds)
    .orderBy('id')
    .execute();

  const ids = organizations.map((organization) => organization.organizationId);
  await sql`
    insert into mirror_stop_list_state (organization_id, dirty_seq, dirty_at)
    select id, 1, now() from unnest(${ids}::bigint[]) as id order by id
    on conflict (organization_id) do update
      set dirty_seq = mirror_stop_list_state.dirty_seq + 1,
          dirty_at = coalesce(mirror_stop_list_state.dirty_at, now())`.execute(tx.db);

  return organizations;
}

/** Returns true if a flagged stop-list exists and its import is not paused. */
export async function hasDirtyStopLists({ db }: Sql, connectionId: number): Promise<boolean> {
  const marked = await db
    .selectFrom('mirror_stop_list_state as state')
    .innerJoin('served_organization as organization', 'organization.id', 'state.organizationId')
    .select('state.organizationId')
    .where('organization.connectionId', '=', connectionId)
    .where('state.dirtyAt', 'is not', null)
    .where((eb) => eb.not(PAUSED))
    .limit(1)
    .executeTakeFirst();

  return marked !== undefined;
}
