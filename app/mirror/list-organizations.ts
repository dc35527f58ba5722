import type { ErpOrganization } from '../../contracts/mirror.ts';
import type { Sql } from '../database.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';

/** A mirrored organization without its raw object (rule MIR-24). */
export type OrganizationView = ErpOrganization;

/** One page of organizations by name, inactive ones included, of one connection or of all. */
export function listOrganizations(
  db: Sql,
  input: Paging & { connectionId?: number | undefined },
): Promise<Page<OrganizationView>> {
  return readPageOfText(db, input, {
    columns: `id, erp_id as "erpId", connection_id as "connectionId", name, code, address, latitude, longitude,
      time_zone as "timeZone", synchronized_at as "synchronizedAt", inactive_at as "inactiveAt"`,
    from: 'mirror_organization where $1::bigint is null or connection_id = $1',
    order: 'name, id',
    params: [input.connectionId ?? null],
  });
}
