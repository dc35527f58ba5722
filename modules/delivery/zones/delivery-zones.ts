import { sql } from 'kysely';
import type {
  DeliveryZone,
  DeliveryZoneEdit,
  ZoneStyle,
  ZoneTexts,
  GeoPolygon,
} from '../schemas/zones.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { WithDates } from '../../../kernel/pure/schemas.ts';
import { json, type Database, type Sql } from '../../../platform/db/database.ts';
import type { Polygon } from '../../mirror/rules/zone-polygon.ts';
import {
  chooseHours,
  restrictionTerms,
  zoneTermsIn,
  type DeliveryDefaults,
  type ZoneFacts,
  type ZoneOverride,
  type ZoneRestriction,
  type ZoneTerms,
} from '../rules/zones/zone-terms.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { requireVersion, saveKeyed } from '../../../kernel/edits.ts';
import { inScope, type Scope } from '../../../kernel/scope.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { DEFAULTS, feeKopecks, OVERRIDES, RESTRICTIONS } from './zone-facts.ts';

export type ZoneDeps = { db: Sql; env: { SYNC_TIME_ZONE: string } };

type Row = Omit<DeliveryZone, 'geometry' | 'defaults' | 'rules' | 'currentTerms' | 'changedAt'> & {
  timeZone: string | null;
  changedAt: Date;
  polygon: Polygon | null;
  defaults: DeliveryDefaults;
  selfServiceMinutes: number;
  restrictions: ZoneRestriction[];
  overrides: ZoneOverride[];
};

const zones = ({ db }: Sql) =>
  db
    .selectFrom('mirror_delivery_zone as zone')
    .innerJoin(
      'mirror_delivery_defaults as defaults',
      'defaults.organizationId',
      'zone.organizationId',
    )
    .innerJoin('mirror_organization as organization', 'organization.id', 'zone.organizationId')
    .leftJoin('delivery_zone_view as view', 'view.zoneId', 'zone.id')
    .select([
      'organization.timeZone',
      'zone.id',
      'zone.organizationId',
      'zone.name',
      'view.displayName',
      sql<number>`coalesce(view.priority, 100)`.as('priority'),
      sql<ZoneStyle | null>`view.style`.as('style'),
      sql<ZoneTexts>`coalesce(view.texts, '{}')`.as('texts'),
      sql<boolean>`zone.inactive_at is null`.as('isActive'),
      sql<Polygon | null>`zone.polygon`.as('polygon'),
      DEFAULTS.as('defaults'),
      'defaults.selfServiceMinutes',
      RESTRICTIONS.as('restrictions'),
      OVERRIDES.as('overrides'),
      'zone.changedAt',
      sql<number>`coalesce(view.version, 0)`.as('version'),
    ]);

/** FUL-57. */
async function shown(
  { db: database, env }: ZoneDeps,
  rows: readonly Row[],
): Promise<WithDates<DeliveryZone>[]> {
  const { delivery_fee: fee } = await readSettings(database, 'delivery_fee');
  const [deliveryFeeKopecks, now] = [feeKopecks(fee), Date.now()];

  return rows.map(
    ({ polygon, defaults, selfServiceMinutes, restrictions, overrides, timeZone, ...zone }) => ({
      ...zone,
      currentTerms: toCurrentTerms(
        zoneTermsIn(
          { restrictions, defaults, overrides, deliveryFeeKopecks },
          timeZone ?? env.SYNC_TIME_ZONE,
          now,
        ),
      ),
      geometry: polygon === null ? null : geoPolygon(polygon),
      defaults: toDefaults(defaults, selfServiceMinutes),
      rules: restrictions.map((restriction) => ({
        ...toStatedRule(restriction),
        effective: toEffectiveRule(restriction, { defaults, overrides, deliveryFeeKopecks }, now),
      })),
    }),
  );
}

function toCurrentTerms(terms: ZoneTerms | null): DeliveryZone['currentTerms'] {
  if (terms === null) return null;
  const { sources } = terms;

  return {
    minOrderSum: terms.minSumKopecks,
    deliveryFee: terms.deliveryFeeKopecks,
    deliveryDurationMinutes: terms.durationMinutes,
    terminalErpId: terms.terminalGroupErpId,
    sources: {
      minOrderSum: sources.minSum,
      deliveryFee: sources.deliveryFee,
      deliveryDuration: sources.duration,
    },
  };
}

const toDefaults = (
  {
    minSumKopecks: minOrderSum,
    durationMinutes: deliveryDurationMinutes,
    ...flags
  }: DeliveryDefaults,
  selfServiceDurationMinutes: number,
): DeliveryZone['defaults'] => ({
  ...flags,
  minOrderSum,
  deliveryDurationMinutes,
  selfServiceDurationMinutes,
});

type Rule = DeliveryZone['rules'][number];

const toStatedRule = (restriction: ZoneRestriction): Omit<Rule, 'effective'> => ({
  weekMap: restriction.weekMap,
  fromMinute: restriction.fromMinute,
  toMinute: restriction.toMinute,
  priority: restriction.priority,
  minOrderSum: restriction.minSumKopecks,
  deliveryDurationMinutes: restriction.durationMinutes,
  terminalErpId: restriction.terminalGroupErpId,
});

function toEffectiveRule(
  restriction: ZoneRestriction,
  facts: Omit<ZoneFacts, 'restrictions'>,
  at: number,
): Rule['effective'] {
  const { sources, ...terms } = restrictionTerms(restriction, facts, at);
  return {
    ...chooseHours(restriction, facts.defaults),
    minOrderSum: terms.minSumKopecks,
    deliveryFee: terms.deliveryFeeKopecks,
    deliveryDurationMinutes: terms.durationMinutes,
    sources: {
      minOrderSum: sources.minSum,
      deliveryFee: sources.deliveryFee,
      deliveryDuration: sources.duration,
    },
  };
}

/** Returns one page of zones by organization and name, including inactive ones. */
export async function listDeliveryZones(
  deps: ZoneDeps,
  input: Paging & { organizationId?: number | undefined; scope: Scope },
): Promise<Page<WithDates<DeliveryZone>>> {
  const all = zones(deps.db)
    .where((eb) => inScope(eb.ref('zone.organizationId'), input.scope))
    .orderBy('zone.organizationId')
    .orderBy('zone.name')
    .orderBy('zone.id');

  const page = await readPage(
    input.organizationId === undefined
      ? all
      : all.where('zone.organizationId', '=', input.organizationId),
    input,
  );

  return { ...page, items: await shown(deps, page.items) };
}

export async function getDeliveryZone(
  deps: ZoneDeps,
  id: number,
): Promise<WithDates<DeliveryZone>> {
  const row = await zones(deps.db)
    .where('zone.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
  const [zone] = await shown(deps, [row]);
  return zone!;
}

/**
 * Changes display and precedence, but no ERP data. Absent fields do not change. Problems:
 * not-found, version-conflict, validation.
 */
export async function editDeliveryZone(
  { db, env }: ZoneDeps & { db: Database },
  actor: Actor,
  id: number,
  { version, ...edit }: DeliveryZoneEdit,
): Promise<WithDates<DeliveryZone>> {
  return db.transaction(async (tx) => {
    const before = await getDeliveryZone({ db: tx, env }, id);
    requireVersion(before.version, version);
    const displayName = edit.displayName == null ? edit.displayName : named(edit.displayName);
    const change = omitUndefined({ ...edit, displayName });
    const fields = (Object.keys(change) as (keyof typeof change)[]).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(change[field]),
    );
    if (fields.length === 0) return before;

    const { style, ...rest } = change;
    await saveKeyed(
      tx,
      { table: 'delivery_zone_view', key: 'zoneId', of: id, seen: version },
      omitUndefined({
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

    return getDeliveryZone({ db: tx, env }, id);
  });
}

const named = (displayName: string): string =>
  requiredTexts({ displayName }, { displayName: 200 }).displayName;

/** Converts a polygon to GeoJSON with closed rings. */
export function geoPolygon(polygon: Polygon): GeoPolygon {
  return {
    type: 'Polygon',
    coordinates: polygon.map((ring) =>
      [...ring, ...ring.slice(0, 1)].map(([x, y]): [number, number] => [x, y]),
    ),
  };
}
