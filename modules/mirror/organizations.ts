import type { Sql } from '../../platform/db/database.ts';

/** The normalized fields of an organization. */
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

const byName = ({ db }: Sql) => db.selectFrom('mirror_organization').select(CONTRACT).orderBy('name').orderBy('id');

/**
 * The read contract of the mirror (rule MIR-64): organizations of a connection that its last list
 * contained, by name, in normalized fields. Coordinates are degrees.
 */
export const findActive = (from: Sql, connectionId = 1) =>
  byName(from).where('connectionId', '=', connectionId).where('inactiveAt', 'is', null).execute();

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
