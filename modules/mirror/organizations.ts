import type { Sql } from '../../platform/db/database.ts';

const CONTRACT = [
  'erpId',
  'connectionId',
  'name',
  'code',
  'address',
  'latitude',
  'longitude',
  'synchronizedAt',
] as const;

const byName = ({ db }: Sql) =>
  db.selectFrom('mirror_organization').select(CONTRACT).orderBy('name').orderBy('id');

/** Active organizations by name (MIR-64). Coordinates in degrees. */
export const findActive = (from: Sql, connectionId = 1) =>
  byName(from).where('connectionId', '=', connectionId).where('inactiveAt', 'is', null).execute();

/** Returns the organizations that a connection imports, oldest first. `erpId` is lower case. */
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
