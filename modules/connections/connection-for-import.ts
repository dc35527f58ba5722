import type { Sql } from '../../platform/db/database.ts';
import { isOperationallyActive } from './franchise/operationally-active.ts';
import { getConnection, type ConnectionView } from './connection-view.ts';

export type SkipReason = 'DISABLED' | 'OWNER_INACTIVE';

/**
 * A connection and why nothing may be imported through it now, null when it may. Asked before any call to the ERP:
 * a connection with a reason is skipped without network (rule CON-7). Problem `not-found`.
 */
export async function connectionForImport(
  sql: Sql,
  id: number,
): Promise<{ connection: ConnectionView; skip: SkipReason | null }> {
  const connection = await getConnection(sql, id);
  if (connection.status === 'DISABLED') return { connection, skip: 'DISABLED' };
  const active = await isOperationallyActive(sql, connection.legalEntityId);
  return { connection, skip: active ? null : 'OWNER_INACTIVE' };
}
