import { sql } from 'kysely';
import type { CallOptions } from '../../../erp/call.ts';
import type { ErpClient } from '../../../erp/client.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import type { EndpointGroupName } from '../../../erp/ports.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import {
  raiseNotification,
  resolveOtherNotifications,
} from '../../notifications/raise-notification.ts';

type Probes = Pick<
  ErpClient,
  'refreshToken' | 'paymentTypes' | 'customerInfo' | 'deliveryServers' | 'cities' | 'organizations'
>;

type Place = { erpId: string; latitude: number | null; longitude: number | null };

/** No ERP object has this id. */
const UNKNOWN = '00000000-0000-0000-0000-000000000000';

/** One read for each group of endpoints, if possible a read that guests wait for. */
const PROBES: Readonly<
  Record<
    EndpointGroupName,
    (erp: Probes, connectionId: number, place: Place, options: CallOptions) => Promise<unknown>
  >
> = {
  TOKENS: (erp, connectionId, _place, options) => erp.refreshToken(connectionId, options),
  ORDERS: (erp, connectionId, { erpId }, options) =>
    erp.paymentTypes(connectionId, [erpId], options),
  LOYALTY: (erp, connectionId, { erpId }, options) =>
    erp.customerInfo(connectionId, erpId, { id: UNKNOWN }, options),
  ADDRESSES: (erp, connectionId, { erpId, latitude, longitude }, options) =>
    latitude === null || longitude === null
      ? erp.cities(connectionId, [erpId], options)
      : erp.deliveryServers(
          connectionId,
          { organizationIds: [erpId], coords: [longitude, latitude] },
          options,
        ),
  MENUS: (erp, connectionId, _place, options) => erp.organizations(connectionId, options),
};

export type CircuitDeps = { db: Database; erp: Probes };

/**
 * Probes circuits whose pause has ended. Without probes, circuits that only guests use would not
 * close (rule ERP-36, decision 13). Idempotent.
 */
export async function probeCircuits(
  { db, erp }: CircuitDeps,
  connectionId: number,
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ probed: number }> {
  const rested = await restedCircuits(db, connectionId);
  const options: CallOptions = {
    isPart: true,
    priority: 'GUESTS',
    ...(signal === undefined ? {} : { signal }),
  };

  await Promise.all(
    rested.map(({ group, ...place }) =>
      PROBES[group](erp, connectionId, place, options).catch((error: unknown) => {
        // The circuit breaker has already recorded and logged the failure.
        if (!isErpFailure(error)) throw error;
      }),
    ),
  );

  return { probed: rested.length };
}

/** Returns the time in ms until the first open circuit may be probed. Null if none is open. */
export async function restOfCircuits({ db }: Sql, connectionId: number): Promise<number | null> {
  const { ms } = await db
    .selectFrom('erp_circuit as circuit')
    .innerJoin('importable_connection as importable', 'importable.id', 'circuit.connectionId')
    .select(
      sql<
        number | null
      >`extract(epoch from min(greatest(open_until, probe_until)) - now())::float8 * 1000`.as('ms'),
    )
    .where('circuit.connectionId', '=', connectionId)
    .where('circuit.openUntil', 'is not', null)
    .executeTakeFirstOrThrow();

  return ms === null ? null : Math.max(0, Math.ceil(ms));
}

export async function connectionsWithRestedCircuits({ db }: Sql): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('erp_circuit')
    .select('connectionId')
    .where('openUntil', '<=', sql<Date>`now()`)
    .execute();

  return new Set(rows.map(({ connectionId }) => connectionId));
}

/** Half-open circuits that no request is probing, with a restaurant if there is one. */
async function restedCircuits(
  { db }: Sql,
  connectionId: number,
): Promise<({ group: EndpointGroupName } & Place)[]> {
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
      sql<EndpointGroupName>`circuit.endpoint_group`.as('group'),
      eb.fn.coalesce('place.erpId', eb.val(UNKNOWN)).as('erpId'),
      'place.latitude',
      'place.longitude',
    ])
    .where('circuit.connectionId', '=', connectionId)
    .where('circuit.openUntil', '<=', sql<Date>`now()`)
    .where(sql<boolean>`coalesce(circuit.probe_until <= now(), true)`)
    .execute();
}

const REPORTED_AFTER = sql.lit('5 minutes');
const [KIND, SUBJECT] = ['ERP_CIRCUIT_OPEN', 'connection'] as const;

type Reported = Row<
  'erp_circuit',
  'connectionId',
  { groups: string[] | null; since: Date; reported: string[] | null }
>;

/**
 * Notifies administrators of circuits that stay open, once per connection. Updates the notification
 * if other groups fail (rule ERP-37). Idempotent.
 */
export async function reportOpenCircuits(database: Database): Promise<void> {
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

  const failing = rows.flatMap(({ groups, ...row }) =>
    groups === null ? [] : [{ ...row, groups }],
  );
  await database.transaction(async (tx) => {
    const ids = failing.map(({ connectionId }) => connectionId);
    await resolveOtherNotifications(tx, KIND, SUBJECT, ids);

    for (const { connectionId, groups, since, reported } of failing)
      if (groups.join() !== reported?.join())
        await raiseNotification(tx, {
          kind: KIND,
          subjectType: SUBJECT,
          subjectId: connectionId,
          details: { groups, since: since.toISOString() },
        });
  });
}
