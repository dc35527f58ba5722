import type { ConnectionStatus } from '../mirror/schemas/sync-status.ts';
import type { Sql } from '../../platform/db/database.ts';

/** `isImported`: anything is imported now. */
export type SyncConnection = Pick<
  ConnectionStatus,
  'id' | 'name' | 'status' | 'isOwnerActive' | 'isImported'
>;

/** Returns connections with an owner, oldest first (CON-6). */
export async function syncConnections({ db }: Sql): Promise<SyncConnection[]> {
  const rows = await db
    .selectFrom('connection')
    .innerJoin('legal_entity as entity', 'entity.id', 'connection.legalEntityId')
    .innerJoin('franchisee as owner', 'owner.id', 'entity.franchiseeId')
    .leftJoin('importable_connection as importable', 'importable.id', 'connection.id')
    .select([
      'connection.id',
      'connection.name',
      'connection.status',
      'entity.isActive as isEntityActive',
      'owner.isActive as isOwnerActive',
      'importable.id as importableId',
    ])
    .orderBy('connection.id')
    .execute();

  return rows.map(({ isEntityActive, importableId, ...row }) => ({
    ...row,
    isOwnerActive: isEntityActive && row.isOwnerActive,
    isImported: importableId !== null,
  }));
}
