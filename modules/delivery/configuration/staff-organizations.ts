import { sql } from 'kysely';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { Problem } from '../../../kernel/problem.ts';
import { inScope, type Scope } from '../../../kernel/scope.ts';
import type { WithDates } from '../../../kernel/pure/schemas.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { ErpOrganization } from '../../mirror/schemas/mirror.ts';
import type { OrderingDeps } from './ordering-config.ts';

type Row = WithDates<ErpOrganization>;

const organizations = ({ db }: Sql, fallback: string) =>
  db
    .selectFrom('mirror_organization as organization')
    .leftJoin('ordering_config as config', 'config.organizationId', 'organization.id')
    .select([
      'organization.id',
      'organization.erpId',
      'organization.connectionId',
      'organization.name',
      'organization.code',
      'organization.address',
      'organization.latitude',
      'organization.longitude',
      'config.phone',
      'organization.timeZone',
      sql<string>`coalesce(config.time_zone, organization.time_zone, ${fallback})`.as(
        'effectiveTimeZone',
      ),
      'organization.synchronizedAt',
      'organization.inactiveAt',
    ]);

type Filter = Paging & {
  connectionId?: number | undefined;
  active?: boolean | undefined;
  scope: Scope;
};

/** Returns one page of organizations by name. `active` selects those in the last ERP list. */
export function listStaffOrganizations(
  { db, env }: OrderingDeps,
  { connectionId, active, scope, ...paging }: Filter,
): Promise<Page<Row>> {
  const all = organizations(db, env.SYNC_TIME_ZONE)
    .where((eb) => eb.and(omitUndefined({ 'organization.connectionId': connectionId })))
    .where((eb) => inScope(eb.ref('organization.id'), scope))
    .orderBy('organization.name')
    .orderBy('organization.id');

  const listed =
    active === undefined
      ? all
      : all.where('organization.inactiveAt', active ? 'is' : 'is not', null);

  return readPage(listed, paging);
}

export function getStaffOrganization({ db, env }: OrderingDeps, id: number): Promise<Row> {
  return organizations(db, env.SYNC_TIME_ZONE)
    .where('organization.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such organization.' }));
}
