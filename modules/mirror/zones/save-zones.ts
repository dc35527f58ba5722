import { sql } from 'kysely';
import { anyOf, json, type Sql, type Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { DeliveryMapRows, ZoneRow, ZoneTermsRow } from '../rules/delivery-map.ts';
import { matchZones } from '../rules/match-zones.ts';
import type { Polygon } from '../rules/zone-polygon.ts';

export type ZoneCounts = {
  zones: number;
  created: number;
  updated: number;
  renamed: number;
  deactivated: number;
};

type Stored = ZoneRow & { id: number; organizationId: number; isActive: boolean };
type Change = { organizationId: number; id: number | null; zone: ZoneRow };

/**
 * Replaces zones, rules and defaults. If a map is partly unreadable, its zones stay active, and a
 * zone that would lose rules keeps them all (MIR-72).
 */
export async function saveZones(
  tx: Tx,
  maps: ReadonlyMap<number, DeliveryMapRows>,
  partlyRead: ReadonlySet<number> = new Set(),
): Promise<ZoneCounts> {
  const currentZones = Map.groupBy(
    await storedZones(tx, [...maps.keys()]),
    (zone) => zone.organizationId,
  );

  const changes: Change[] = [];
  const absentIds: number[] = [];
  const counts = { zones: 0, created: 0, updated: 0, renamed: 0, deactivated: 0 };

  for (const [organizationId, { zones }] of maps) {
    const isComplete = !partlyRead.has(organizationId);
    const existing = currentZones.get(organizationId) ?? [];
    const byId = new Map(existing.map((zone) => [zone.id, zone]));
    const ids = matchZones(existing, zones);

    for (const listed of zones) {
      const before = byId.get(ids.get(listed.name) ?? 0);
      const keepsTerms =
        !isComplete && before !== undefined && before.terms.length > listed.terms.length;
      const terms = keepsTerms ? before.terms : listed.terms;
      const zone = { ...listed, polygon: listed.polygon ?? before?.polygon ?? null, terms };
      if (before === undefined) counts.created += 1;
      else if (isEqual(before, zone)) continue;
      else counts.updated += 1;
      if (before !== undefined && before.name !== zone.name) counts.renamed += 1;
      changes.push({ organizationId, id: before?.id ?? null, zone });
    }

    counts.zones += zones.length;
    const presentIds = new Set(ids.values());
    if (isComplete)
      absentIds.push(
        ...existing
          .filter((zone) => zone.isActive && !presentIds.has(zone.id))
          .map((zone) => zone.id),
      );
  }

  await writeZones(tx, changes);
  const ended = await tx.db
    .updateTable('mirror_delivery_zone')
    .set({ inactiveAt: sql`now()`, changedAt: sql`now()` })
    .where('id', '=', anyOf(absentIds))
    .returning('organizationId')
    .execute();

  await saveDefaults(
    tx,
    maps,
    new Set([...changes, ...ended].map((change) => change.organizationId)),
  );

  return { ...counts, deactivated: ended.length };
}

const isEqual = (before: Stored, { name, polygon, terms }: ZoneRow): boolean =>
  before.isActive &&
  before.name === name &&
  same(before.polygon, polygon) &&
  same(before.terms, terms);

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** All zones ever listed, in the ERP's order. */
async function storedZones({ db }: Sql, organizationIds: readonly number[]): Promise<Stored[]> {
  const zones = await db
    .selectFrom('mirror_delivery_zone')
    .select([
      'id',
      'organizationId',
      'name',
      (eb) => eb.ref('polygon').$castTo<Polygon | null>().as('polygon'),
      (eb) => eb('inactiveAt', 'is', null).$castTo<boolean>().as('isActive'),
    ])
    .where('organizationId', '=', anyOf(organizationIds))
    .orderBy('id')
    .execute();

  const rows = await db
    .selectFrom('mirror_zone_terms')
    .select([
      'zoneId',
      'ordinal as position',
      'weekMap',
      'fromMinute',
      'toMinute',
      'priority',
      'minSumKopecks',
      'durationMinutes',
      'terminalGroupErpId',
    ])
    .where('zoneId', '=', anyOf(zones.map((zone) => zone.id)))
    .orderBy('zoneId')
    .orderBy('ordinal')
    .execute();

  const terms = Map.groupBy(rows, (row) => row.zoneId);

  return zones.map((zone) => ({
    ...zone,
    terms: (terms.get(zone.id) ?? []).map(pickTerms),
  }));
}

/** Orders the fields for {@link same}. */
function pickTerms(row: ZoneTermsRow): ZoneTermsRow {
  const {
    position,
    weekMap,
    fromMinute,
    toMinute,
    priority,
    minSumKopecks,
    durationMinutes,
    terminalGroupErpId,
  } = row;

  return {
    position,
    weekMap,
    fromMinute,
    toMinute,
    priority,
    minSumKopecks,
    durationMinutes,
    terminalGroupErpId,
  };
}

async function writeZones({ db }: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const created = changes.filter((change) => change.id === null);
  await sql`
    insert into mirror_delivery_zone (organization_id, name, polygon)
    select organization_id, name, polygon from jsonb_to_recordset(${toRows(created)}::jsonb)
      as row (organization_id bigint, name text, polygon jsonb) order by organization_id, name`.execute(
    db,
  );

  await sql`
    update mirror_delivery_zone old set name = row.name, polygon = row.polygon, inactive_at = null, changed_at = now()
      from jsonb_to_recordset(${toRows(changes.filter((change) => change.id !== null))}::jsonb)
        as row (id bigint, name text, polygon jsonb)
     where old.id = row.id`.execute(db);

  const { rows: ids } = await sql<Row<'mirror_delivery_zone', 'id', { at: number }>>`
    select zone.id, row.at from mirror_delivery_zone zone
      join jsonb_to_recordset(${toRows(changes)}::jsonb) as row (organization_id bigint, name text, at int)
        on row.organization_id = zone.organization_id and row.name = zone.name`.execute(db);

  const terms = ids.flatMap(({ id, at }) =>
    changes[at]!.zone.terms.map((row) => ({ ...row, zoneId: id })),
  );
  await db
    .deleteFrom('mirror_zone_terms')
    .where('zoneId', '=', anyOf(ids.map((row) => row.id)))
    .execute();

  await sql`
    insert into mirror_zone_terms (zone_id, ordinal, week_map, from_minute, to_minute, priority, min_sum_kopecks, duration_minutes,
                                   terminal_group_erp_id)
    select "zoneId", position, "weekMap", "fromMinute", "toMinute", priority, "minSumKopecks", "durationMinutes", "terminalGroupErpId"
      from jsonb_to_recordset(${json(terms)}::jsonb) as row ("zoneId" bigint, position int, "weekMap" int, "fromMinute" int,
        "toMinute" int, priority int, "minSumKopecks" bigint, "durationMinutes" int, "terminalGroupErpId" uuid)`.execute(
    db,
  );
}

const toRows = (changes: readonly Change[]) =>
  json(
    changes.map(({ id, organizationId, zone: { name, polygon } }, at) => ({
      at,
      id,
      organization_id: organizationId,
      name,
      polygon,
    })),
  );

/** Each change increments a map's revision: readers compare the sum. */
async function saveDefaults(
  { db }: Tx,
  maps: ReadonlyMap<number, DeliveryMapRows>,
  changed: ReadonlySet<number>,
): Promise<void> {
  const rows = [...maps].map(([organizationId, { defaults }]) => ({ organizationId, ...defaults }));
  await sql`
      insert into mirror_delivery_defaults as old (organization_id, use_same_duration, duration_minutes, self_service_minutes,
        use_same_min_sum, min_sum_kopecks, use_same_interval, from_minute, to_minute, use_same_week)
      select "organizationId", "useSameDuration", "durationMinutes", "selfServiceMinutes", "useSameMinSum", "minSumKopecks",
             "useSameInterval", "fromMinute", "toMinute", "useSameWeek"
        from jsonb_to_recordset(${json(rows)}::jsonb) as row ("organizationId" bigint, "useSameDuration" boolean, "durationMinutes" int,
          "selfServiceMinutes" int, "useSameMinSum" boolean, "minSumKopecks" bigint, "useSameInterval" boolean, "fromMinute" int,
          "toMinute" int, "useSameWeek" boolean)
       order by "organizationId"
      on conflict (organization_id) do update set
        use_same_duration = excluded.use_same_duration, duration_minutes = excluded.duration_minutes,
        self_service_minutes = excluded.self_service_minutes, use_same_min_sum = excluded.use_same_min_sum,
        min_sum_kopecks = excluded.min_sum_kopecks, use_same_interval = excluded.use_same_interval,
        from_minute = excluded.from_minute, to_minute = excluded.to_minute, use_same_week = excluded.use_same_week, revision = old.revision + 1
       where old.organization_id = any (${[...changed]}::bigint[]) or (old.use_same_duration, old.duration_minutes, old.self_service_minutes, old.use_same_min_sum, old.min_sum_kopecks,
              old.use_same_interval, old.from_minute, old.to_minute, old.use_same_week)
         is distinct from (excluded.use_same_duration, excluded.duration_minutes, excluded.self_service_minutes, excluded.use_same_min_sum,
              excluded.min_sum_kopecks, excluded.use_same_interval, excluded.from_minute, excluded.to_minute, excluded.use_same_week)`.execute(
    db,
  );
}
