import type { ErpOrganization } from './schemas/mirror.ts';
import type { Sql } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';

/** One page of organizations by name, inactive ones included, of one connection or of all. */
export function listOrganizations(
  { db }: Sql,
  input: Paging & { connectionId?: number | undefined },
): Promise<Page<ErpOrganization>> {
  const all = db
    .selectFrom('mirror_organization')
    .select([
      'id',
      'erpId',
      'connectionId',
      'name',
      'code',
      'address',
      'latitude',
      'longitude',
      'timeZone',
      'synchronizedAt',
      'inactiveAt',
    ])
    .orderBy('name')
    .orderBy('id');
  return readPage(input.connectionId === undefined ? all : all.where('connectionId', '=', input.connectionId), input);
}

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
