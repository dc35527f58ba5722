import type { Sql } from '../database.ts';

/** An organization as other parts of the product see it (rule MIR-28): normalized, without the raw object. */
export type ActiveOrganization = {
  /** The ERP's uuid, in lower case. */
  erpId: string;
  connectionId: number;
  name: string;
  code: string | null;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  /** Time of the last full list that contained it. */
  synchronizedAt: Date;
};

/** The organizations of a connection that its last full list contained, by name (rule MIR-28). */
export function findActive({ db }: Sql, connectionId = 1): Promise<ActiveOrganization[]> {
  return db
    .selectFrom('mirror_organization')
    .select(['erpId', 'connectionId', 'name', 'code', 'address', 'latitude', 'longitude', 'synchronizedAt'])
    .where('connectionId', '=', connectionId)
    .where('inactiveAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
}
