import { sql } from 'kysely';
import type { Organization } from '../../contracts/storefront.ts';
import type { Sql } from '../../db/database.ts';
import { readPage, type Page, type Paging } from '../pages.ts';

/** One page of the organizations whose menus are served, by name (rule STO-6). */
export async function listOrganizations({ db }: Sql, paging: Paging): Promise<Page<Organization>> {
  const query = db
    .selectFrom('served_organization')
    .select([
      'erpId as id',
      'name',
      'address',
      sql<Organization['coordinates']>`
        case when latitude is not null and longitude is not null
             then jsonb_build_object('latitude', latitude, 'longitude', longitude) end`.as('coordinates'),
    ])
    .orderBy('name')
    .orderBy('erpId');
  return readPage(query, paging);
}
