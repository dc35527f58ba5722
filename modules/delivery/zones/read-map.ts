import { sql, type Nullable } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { CarteSettings } from '../../settings/schemas/settings.ts';
import type { OverlapRule } from '../rules/choose-zone.ts';
import type { DeliveryDefaults, ZoneOverride, ZoneRestriction } from '../rules/zone-terms.ts';
import type { Polygon } from '../../mirror/rules/zone-polygon.ts';
import { kopecksOf } from '../../../kernel/pure/money.ts';
import { readSettings } from '../../settings/read-settings.ts';

/** An active zone of a served organization with everything that decides about it; moments in milliseconds. */
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

/** The facts of all zones at one moment; `deliveryFeeKopecks` is what a delivery costs where no override says. */
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
    Pick<MapZone, 'polygon' | 'priority' | 'restrictions' | 'overrides'> & { defaults: DeliveryDefaults }
  >;

/**
 * A text that is another one after every commit that changes what {@link readMapFacts} returns: maps and their views count their
 * changes, overrides are counted as well because they can be deleted.
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
  return (await db.selectNoFrom(fingerprint.as('fingerprint')).executeTakeFirstOrThrow()).fingerprint;
}

/** Every zone that an address can lie in, by id. */
export async function readMapFacts(from: Sql): Promise<MapFacts> {
  const { rows } = await sql<ZoneRow>`
    select zone.id, zone.name, view.display_name, zone.polygon, coalesce(view.priority, 100) as priority,
           organization.id as organization_id, organization.erp_id, organization.connection_id,
           coalesce(config.time_zone, organization.time_zone) as time_zone,
           jsonb_build_object(
             'useSameDuration', defaults.use_same_duration, 'durationMinutes', defaults.duration_minutes,
             'useSameMinSum', defaults.use_same_min_sum, 'minSumKopecks', defaults.min_sum_kopecks,
             'useSameInterval', defaults.use_same_interval, 'fromMinute', defaults.from_minute, 'toMinute', defaults.to_minute,
             'useSameWeek', defaults.use_same_week) as defaults,
           coalesce(terms.list, '[]') as restrictions, coalesce(override.list, '[]') as overrides
      from mirror_delivery_zone zone
      join mirror_organization organization on organization.id = zone.organization_id and organization.inactive_at is null
      join mirror_delivery_defaults defaults on defaults.organization_id = zone.organization_id
      left join ordering_config config on config.organization_id = zone.organization_id
      left join delivery_zone_view view on view.zone_id = zone.id
      left join lateral (
        select jsonb_agg(jsonb_build_object(
                 'position', term.ordinal, 'weekMap', term.week_map, 'fromMinute', term.from_minute, 'toMinute', term.to_minute,
                 'priority', term.priority, 'minSumKopecks', term.min_sum_kopecks, 'durationMinutes', term.duration_minutes,
                 'terminalGroupId', terminal.id, 'terminalGroupErpId', terminal.erp_id) order by term.ordinal) as list
          from mirror_zone_terms term
          left join mirror_terminal_group terminal
            on terminal.organization_id = zone.organization_id and terminal.erp_id = term.terminal_group_erp_id
         where term.zone_id = zone.id) terms on true
      left join lateral (
        select jsonb_agg(jsonb_build_object(
                 'minSumKopecks', min_sum_kopecks, 'deliveryFeeKopecks', delivery_fee_kopecks,
                 'from', extract(epoch from valid_from) * 1000, 'to', extract(epoch from valid_to) * 1000)
                 order by valid_from desc nulls last, id desc) as list
          from zone_override where zone_id = zone.id) override on true
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
    deliveryFeeKopecks: fee === null ? null : kopecksOf(fee),
  };
}
