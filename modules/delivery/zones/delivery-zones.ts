import { sql } from 'kysely';
import type { DeliveryZone, DeliveryZoneEdit, ZoneStyle, ZoneTexts, GeoPolygon } from '../schemas/zones.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { WithDates } from '../../../kernel/pure/schemas.ts';
import { json, type Database, type Sql } from '../../../platform/db/database.ts';
import type { Polygon } from '../../mirror/rules/zone-polygon.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { requireVersion, saveKeyed } from '../../../kernel/edits.ts';
import { given, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';

type Row = Omit<DeliveryZone, 'geometry' | 'rules' | 'changedAt'> & {
  changedAt: Date;
  polygon: Polygon | null;
  rules: (Omit<DeliveryZone['rules'][number], 'minOrderSum'> & { minOrderSum: number | null })[];
};

const zones = ({ db }: Sql) =>
  db
    .selectFrom('mirror_delivery_zone as zone')
    .leftJoin('delivery_zone_view as view', 'view.zoneId', 'zone.id')
    .select([
      'zone.id',
      'zone.organizationId',
      'zone.name',
      'view.displayName',
      sql<number>`coalesce(view.priority, 100)`.as('priority'),
      sql<ZoneStyle | null>`view.style`.as('style'),
      sql<ZoneTexts>`coalesce(view.texts, '{}')`.as('texts'),
      sql<boolean>`zone.inactive_at is null`.as('isActive'),
      sql<Polygon | null>`zone.polygon`.as('polygon'),
      sql<Row['rules']>`coalesce((
        select jsonb_agg(jsonb_build_object(
                 'weekMap', week_map, 'fromMinute', from_minute, 'toMinute', to_minute, 'priority', priority,
                 'minOrderSum', min_sum_kopecks, 'deliveryDurationMinutes', duration_minutes, 'terminalErpId', terminal_group_erp_id)
                 order by ordinal)
          from mirror_zone_terms where zone_id = zone.id), '[]')`.as('rules'),
      'zone.changedAt',
      sql<number>`coalesce(view.version, 0)`.as('version'),
    ]);

const shown = ({ polygon, ...zone }: Row): WithDates<DeliveryZone> => ({
  ...zone,
  geometry: polygon === null ? null : geoPolygon(polygon),
});

/** One page of zones by organization and name, inactive ones included, of one organization or of all. */
export async function listDeliveryZones(
  database: Sql,
  input: Paging & { organizationId?: number | undefined },
): Promise<Page<WithDates<DeliveryZone>>> {
  const all = zones(database).orderBy('zone.organizationId').orderBy('zone.name').orderBy('zone.id');
  const page = await readPage(
    input.organizationId === undefined ? all : all.where('zone.organizationId', '=', input.organizationId),
    input,
  );
  return { ...page, items: page.items.map(shown) };
}

/** One zone. Problem `not-found`. */
export async function getDeliveryZone(database: Sql, id: number): Promise<WithDates<DeliveryZone>> {
  const row = await zones(database)
    .where('zone.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
  return shown(row);
}

/**
 * Changes how a zone is shown and which one comes first where zones overlap; what the ERP states is not changed. An absent field
 * keeps its value, an equal value writes nothing. Problems: not-found, version-conflict, validation.
 */
export async function editDeliveryZone(
  { db }: { db: Database },
  actor: Actor,
  id: number,
  { version, ...edit }: DeliveryZoneEdit,
): Promise<WithDates<DeliveryZone>> {
  return db.transaction(async (tx) => {
    const before = await getDeliveryZone(tx, id);
    requireVersion(before.version, version);
    const displayName = edit.displayName == null ? edit.displayName : named(edit.displayName);
    const change = given({ ...edit, displayName });
    const fields = (Object.keys(change) as (keyof typeof change)[]).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(change[field]),
    );
    if (fields.length === 0) return before;
    const { style, ...rest } = change;
    await saveKeyed(
      tx,
      { table: 'delivery_zone_view', key: 'zoneId', of: id, seen: version },
      given({
        ...rest,
        texts: edit.texts === undefined ? undefined : json(edit.texts),
        style: style == null ? style : json(style),
      }),
    );
    const only = (from: Partial<DeliveryZone>) =>
      Object.fromEntries(fields.map((field) => [field, from[field] ?? null]));
    await recordAudit(tx, actor, {
      entityType: 'delivery-zone',
      entityId: id,
      action: 'update',
      before: only(before),
      after: only(change),
    });
    return getDeliveryZone(tx, id);
  });
}

const named = (displayName: string): string => requiredTexts({ displayName }, { displayName: 200 }).displayName;

/** The polygon as GeoJSON, whose rings are closed. */
export function geoPolygon(polygon: Polygon): GeoPolygon {
  return {
    type: 'Polygon',
    coordinates: polygon.map((ring) => [...ring, ...ring.slice(0, 1)].map(([x, y]): [number, number] => [x, y])),
  };
}
