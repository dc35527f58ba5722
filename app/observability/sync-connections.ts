import type { Sql } from '../database.ts';

/** A connection and whether anything is imported through it now. */
export type SyncConnection = {
  id: number;
  name: string;
  status: 'ACTIVE' | 'DISABLED';
  /** Its legal entity and the franchisee are operationally active. */
  isOwnerActive: boolean;
  isImported: boolean;
};

/** Connections of the contract, oldest first; those without an owner are invisible (rule CON-6). */
export function syncConnections(sql: Sql): Promise<SyncConnection[]> {
  return sql.query<SyncConnection>(
    `select connection.id, connection.name, connection.status, entity.is_active and owner.is_active as "isOwnerActive",
            connection.status = 'ACTIVE' and entity.is_active and owner.is_active as "isImported"
       from connection join legal_entity entity on entity.id = connection.legal_entity_id
       join franchisee owner on owner.id = entity.franchisee_id order by connection.id`,
  );
}
