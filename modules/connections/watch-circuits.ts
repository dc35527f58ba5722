import { sql } from 'kysely';
import type { CallOptions } from '../../erp/call.ts';
import type { ErpClient } from '../../erp/client.ts';
import { isErpFailure } from '../../erp/failure.ts';
import type { EndpointGroupName } from '../../erp/ports.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { raiseNotification, resolveOtherNotifications } from '../notifications/raise-notification.ts';

type Probes = Pick<
  ErpClient,
  'refreshToken' | 'paymentTypes' | 'customerInfo' | 'deliveryServers' | 'cities' | 'organizations'
>;
type Place = { erpId: string; latitude: number | null; longitude: number | null };

/** The id of no client and no restaurant of the ERP. */
const UNKNOWN = '00000000-0000-0000-0000-000000000000';

/** The read that probes each group of endpoints: where guests wait for a group, their request. */
const PROBES: Readonly<
  Record<EndpointGroupName, (erp: Probes, connectionId: number, place: Place, options: CallOptions) => Promise<unknown>>
> = {
  TOKENS: (erp, connectionId, _place, options) => erp.refreshToken(connectionId, options),
  ORDERS: (erp, connectionId, { erpId }, options) => erp.paymentTypes(connectionId, [erpId], options),
  LOYALTY: (erp, connectionId, { erpId }, options) => erp.customerInfo(connectionId, erpId, { id: UNKNOWN }, options),
  ADDRESSES: (erp, connectionId, { erpId, latitude, longitude }, options) =>
    latitude === null || longitude === null
      ? erp.cities(connectionId, [erpId], options)
      : erp.deliveryServers(connectionId, { organizationIds: [erpId], coords: [longitude, latitude] }, options),
  MENUS: (erp, connectionId, _place, options) => erp.organizations(connectionId, options),
};

/**
 * Probes the circuits whose rest is over, so that they close although only guests call (rule
 * ERP-36, decision 169), and notifies administrators of those that stay open (rule ERP-37). A
 * second call probes only circuits that are still open.
 */
export async function watchCircuits(
  deps: { db: Database; erp: Probes },
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ probed: number }> {
  const rested = await restedCircuits(deps.db);
  const options: CallOptions = { isPart: true, priority: 'GUESTS', ...(signal === undefined ? {} : { signal }) };
  await Promise.all(
    rested.map(({ connectionId, group, ...place }) =>
      PROBES[group](deps.erp, connectionId, place, options).catch((error: unknown) => {
        // The breaker has recorded and logged it.
        if (!isErpFailure(error)) throw error;
      }),
    ),
  );
  await reportOpenCircuits(deps.db);
  return { probed: rested.length };
}

/**
 * Half-open circuits that no request probes now, each with a restaurant of its connection, if any.
 */
async function restedCircuits({ db }: Sql): Promise<({ connectionId: number; group: EndpointGroupName } & Place)[]> {
  return db
    .selectFrom('erp_circuit as circuit')
    .innerJoin('importable_connection as importable', 'importable.id', 'circuit.connectionId')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('served_organization as organization')
          .select(['erpId', 'latitude', 'longitude'])
          .whereRef('organization.connectionId', '=', 'circuit.connectionId')
          .orderBy('organization.id')
          .limit(1)
          .as('place'),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      'circuit.connectionId',
      sql<EndpointGroupName>`circuit.endpoint_group`.as('group'),
      eb.fn.coalesce('place.erpId', eb.val(UNKNOWN)).as('erpId'),
      'place.latitude',
      'place.longitude',
    ])
    .where('circuit.openUntil', '<=', sql<Date>`now()`)
    .where(sql<boolean>`coalesce(circuit.probe_until <= now(), true)`)
    .execute();
}

/** Time after which an open circuit is reported. */
const REPORTED_AFTER = sql.lit('5 minutes');
const [KIND, SUBJECT] = ['ERP_CIRCUIT_OPEN', 'connection'] as const;

type Reported = Row<'erp_circuit', 'connectionId', { groups: string[] | null; since: Date; reported: string[] | null }>;

/** One notification per connection; it is updated when other groups fail. */
async function reportOpenCircuits(database: Database): Promise<void> {
  const { rows } = await sql<Reported>`
    with failing as (
      select connection_id, array_agg(endpoint_group order by endpoint_group) as groups, min(opened_at) as since
        from erp_circuit join importable_connection importable on importable.id = connection_id
       where opened_at <= now() - ${REPORTED_AFTER}::interval
       group by connection_id),
    reported as (
      select subject_id::bigint as connection_id,
             array(select jsonb_array_elements_text(details -> 'groups')) as groups
        from notification where kind = ${KIND} and subject_type = ${SUBJECT} and resolved_at is null)
    select connection_id, failing.groups, failing.since, reported.groups as reported
      from failing full join reported using (connection_id)`.execute(database.db);
  if (rows.every(({ groups, reported }) => groups?.join() === reported?.join())) return;
  const failing = rows.filter(({ groups }) => groups !== null);
  await database.transaction(async (tx) => {
    const ids = failing.map(({ connectionId }) => connectionId);
    await resolveOtherNotifications(tx, KIND, SUBJECT, ids);
    for (const { connectionId, groups, since, reported } of failing)
      if (groups?.join() !== reported?.join())
        await raiseNotification(tx, {
          kind: KIND,
          subjectType: SUBJECT,
          subjectId: connectionId,
          details: { groups, since: since.toISOString() },
        });
  });
}
