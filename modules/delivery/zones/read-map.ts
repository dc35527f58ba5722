import { sql, type Nullable } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { CarteSettings } from '../../settings/schemas/settings.ts';
import type { OverlapRule } from '../rules/zones/choose-zone.ts';
import type { DeliveryDefaults, ZoneOverride, ZoneRestriction } from '../rules/zones/zone-terms.ts';
import type { Polygon } from '../../mirror/rules/zone-polygon.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { DEFAULTS, feeKopecks, OVERRIDES, RESTRICTIONS } from './zone-facts.ts';

/** A zone of a served organization; times are in ms. */
export type MapZone = {
  id: number;
  name: string;
  displayName: string | null;
  organization: {
    id: number;
    erpId: string;
    connectionId: number;
    timeZone: string | null;
    defaults: DeliveryDefaults;
  };
  polygon: Polygon;
  priority: number;
  restrictions: ZoneRestriction[];
  overrides: ZoneOverride[];
};

export type MapFacts = {
  zones: MapZone[];
  overlap: OverlapRule;
  serving: CarteSettings['serving_organization'];
  deliveryFeeKopecks: number | null;
};

type ZoneRow = Row<'mirror_delivery_zone', 'id' | 'name'> &
  Nullable<Row<'delivery_zone_view', 'displayName'>> &
  Row<
    'mirror_organization',
    'id as organizationId' | 'erpId' | 'connectionId' | 'timeZone',
    Pick<MapZone, 'polygon' | 'priority' | 'restrictions' | 'overrides'> & {
      defaults: DeliveryDefaults;
    }
  >;

/**
 * Returns a value that changes with every commit that affects {@link readMapFacts}. Counts
 * overrides, because they can be deleted.
 */
export async function mapFingerprint({ db }: Sql): Promise<string> {
  const fingerprint = sql<string>`
    jsonb_build_array(
      (select sum(revision) from mirror_delivery_defaults),
      (select sum(version) from delivery_zone_view),
      (select sum(version) from ordering_config),
      (select concat_ws('.', count(*), max(id), sum(version)) from zone_override),
      (select jsonb_object_agg(key, value) from setting where key in ('overlapping_zones', 'delivery_fee', 'serving_organization')),
      (select md5(string_agg(concat_ws(' ', id, erp_id, time_zone), ',' order by id)) from mirror_organization where inactive_at is null),
      (select concat_ws('.', count(*), max(id)) from mirror_terminal_group))::text`;

  return (await db.selectNoFrom(fingerprint.as('fingerprint')).executeTakeFirstOrThrow())
    .fingerprint;
}

export async function readMapFacts(from: Sql): Promise<MapFacts> {
  const { rows } = await sql<ZoneRow>`
    select zone.id, zone.name, view.display_name, zone.polygon, coalesce(view.priority, 100) as priority,
           organization.id as organization_id, organization.erp_id, organization.connection_id,
           coalesce(config.time_zone, organization.time_zone) as time_zone,
           ${DEFAULTS} as defaults, ${RESTRICTIONS} as restrictions, ${OVERRIDES} as overrides
      from mirror_delivery_zone zone
      join mirror_organization organization on organization.id = zone.organization_id and organization.inactive_at is null
      join mirror_delivery_defaults defaults on defaults.organization_id = zone.organization_id
      left join ordering_config config on config.organization_id = zone.organization_id
      left join delivery_zone_view view on view.zone_id = zone.id
     where zone.inactive_at is null and zone.polygon is not null
     order by zone.id`.execute(from.db);

  const {
    overlapping_zones: overlap,
    serving_organization: serving,
    delivery_fee: fee,
  } = await readSettings(from, 'overlapping_zones', 'serving_organization', 'delivery_fee');

  return {
    zones: rows.map(({ organizationId: id, erpId, connectionId, timeZone, defaults, ...zone }) => ({
      ...zone,
      organization: { id, erpId, connectionId, timeZone, defaults },
    })),
    overlap,
    serving,
    deliveryFeeKopecks: feeKopecks(fee),
  };
}
