import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
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
  const rows = await from.db
    .selectFrom('mirror_delivery_zone as zone')
    .innerJoin('mirror_organization as organization', (on) =>
      on
        .onRef('organization.id', '=', 'zone.organizationId')
        .on('organization.inactiveAt', 'is', null),
    )
    .innerJoin(
      'mirror_delivery_defaults as defaults',
      'defaults.organizationId',
      'zone.organizationId',
    )
    .leftJoin('ordering_config as config', 'config.organizationId', 'zone.organizationId')
    .leftJoin('delivery_zone_view as view', 'view.zoneId', 'zone.id')
    .select(['zone.id', 'zone.name', 'view.displayName'])
    .select((eb) => eb.ref('zone.polygon').$castTo<Polygon>().as('polygon'))
    .select((eb) => eb.fn.coalesce('view.priority', eb.lit(100)).as('priority'))
    .select(['organization.id as organizationId', 'organization.erpId'])
    .select('organization.connectionId')
    .select((eb) => eb.fn.coalesce('config.timeZone', 'organization.timeZone').as('timeZone'))
    .select([DEFAULTS.as('defaults'), RESTRICTIONS.as('restrictions'), OVERRIDES.as('overrides')])
    .where('zone.inactiveAt', 'is', null)
    .where('zone.polygon', 'is not', null)
    .orderBy('zone.id')
    .execute();

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
