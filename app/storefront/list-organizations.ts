import type { Organization } from '../../contracts/storefront.ts';
import type { Sql } from '../../db/database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { SERVED_ORGANIZATIONS } from './served-organizations.ts';

/** An organization as guests see it; `id` is the ERP's uuid. */
export type PublicOrganization = Organization;

/** One page of the organizations whose menus are served, by name (rule STO-6). */
export async function listOrganizations(sql: Sql, paging: Paging): Promise<Page<PublicOrganization>> {
  return readPageOfText<PublicOrganization>(sql, paging, {
    columns: `erp_id as id, name, address,
      case when latitude is not null and longitude is not null
           then jsonb_build_object('latitude', latitude, 'longitude', longitude) end as coordinates`,
    from: `(${SERVED_ORGANIZATIONS}) organization`,
    order: 'name, erp_id',
    params: [],
  });
}
