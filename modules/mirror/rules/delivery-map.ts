import type { Anomalies } from './anomalies.ts';
import { crossingArea } from './ring-crossing.ts';
import { cleanText, isPrice, kopecks } from './values.ts';
import { zonePolygon, type Polygon } from './zone-polygon.ts';

/** The delivery map of one organization as the ERP states it. */
export type DeliveryMapSource = {
  organizationId: string;
  useSameDeliveryDuration: boolean;
  defaultDeliveryDurationInMinutes: number;
  defaultSelfServiceDurationInMinutes: number;
  useSameMinSum: boolean;
  defaultMinSum?: number | null;
  useSameWorkTimeInterval: boolean;
  defaultFrom?: number | null;
  defaultTo?: number | null;
  useSameRestrictionsOnAllWeek: boolean;
  restrictions: readonly RestrictionSource[] | null;
  deliveryZones:
    | readonly {
        name?: string | null;
        coordinates?: readonly { latitude?: unknown; longitude?: unknown }[] | null;
      }[]
    | null;
};

type RestrictionSource = {
  zone?: string | null;
  organizationId?: string | null;
  terminalGroupId?: string | null;
  weekMap: number;
  from?: number | null;
  to?: number | null;
  priority: number;
  minSum?: number | null;
  deliveryDurationInMinutes: number;
};

/** The common terms of all zones of an organization. Minutes; sums in kopecks. */
export type DeliveryDefaultsRow = {
  useSameDuration: boolean;
  durationMinutes: number;
  selfServiceMinutes: number;
  useSameMinSum: boolean;
  minSumKopecks: number | null;
  useSameInterval: boolean;
  fromMinute: number | null;
  toMinute: number | null;
  useSameWeek: boolean;
};

/** A rule of a zone; `position` is its place in the ERP's list. */
export type ZoneTermsRow = {
  position: number;
  weekMap: number;
  fromMinute: number | null;
  toMinute: number | null;
  priority: number;
  minSumKopecks: number | null;
  durationMinutes: number;
  terminalGroupErpId: string | null;
};

export type ZoneRow = { name: string; polygon: Polygon | null; terms: ZoneTermsRow[] };

export type DeliveryMapRows = { defaults: DeliveryDefaultsRow; zones: ZoneRow[] };

const DAY = 24 * 60;
const WEEK = 7 * DAY;
const LARGEST_INT = 2_147_483_647;

const isMinute = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= DAY;
const isDuration = (value: number): boolean => value >= 0 && value <= WEEK;
const minuteOrNull = (value: number | null | undefined): number | null =>
  value != null && isMinute(value) ? value : null;
const sumOrNull = (roubles: number | null | undefined): number | null =>
  roubles != null && isPrice(roubles) ? kopecks(roubles) : null;
const durationOf = (minutes: number): number => (isDuration(minutes) ? Math.round(minutes) : 0);

/**
 * The rows of one organization's map. A zone is identified by its name without padding; rules are
 * assigned to zones by name. Invalid rows are skipped and counted (rules MIR-41, MIR-42); a border
 * that crosses itself is counted with its size (rule FUL-52).
 */
export function deliveryMapRows(source: DeliveryMapSource, anomalies: Anomalies): DeliveryMapRows {
  const organization = source.organizationId.toLowerCase();
  const zones = new Map<string, ZoneRow>();
  for (const { name: stated, coordinates } of source.deliveryZones ?? []) {
    const name = cleanText(stated);
    const sample = `${organization}/${name ?? ''}`;
    const polygon = zonePolygon(coordinates ?? []);
    if (name === null) anomalies.add('BLANK_NAME', sample);
    else if (zones.has(name)) anomalies.add('ZONE_LISTED_TWICE', sample);
    else {
      const crossing = polygon === null ? null : crossingArea(polygon[0]!);
      if (polygon === null) anomalies.add('INVALID_ZONE_POLYGON', sample);
      if (crossing !== null) anomalies.add('ZONE_CROSSES_ITSELF', `${sample} (${crossing} m²)`);
      zones.set(name, { name, polygon, terms: [] });
    }
  }
  for (const [position, restriction] of (source.restrictions ?? []).entries()) {
    const sample = `${organization}/${restriction.zone ?? ''}`;
    const zone = zones.get(cleanText(restriction.zone) ?? '');
    const owner = restriction.organizationId?.toLowerCase() ?? organization;
    if (zone === undefined || owner !== organization) anomalies.add('UNKNOWN_ZONE', sample);
    else if (isPossible(restriction)) {
      if (restriction.minSum != null && !isPrice(restriction.minSum)) anomalies.add('INVALID_PRICE', sample);
      zone.terms.push(termsRow(restriction, position));
    } else anomalies.add('INVALID_ZONE_TERMS', sample);
  }
  return { defaults: defaultsRow(source), zones: [...zones.values()] };
}

function isPossible({ weekMap, from, to, priority, deliveryDurationInMinutes }: RestrictionSource): boolean {
  const isWeek = Number.isInteger(weekMap) && weekMap >= 0 && weekMap < 128;
  const isRank = Number.isInteger(priority) && Math.abs(priority) <= LARGEST_INT;
  const isInterval = [from, to].every((minute) => minute == null || isMinute(minute));
  return isWeek && isRank && isInterval && isDuration(deliveryDurationInMinutes);
}

function termsRow(source: RestrictionSource, position: number): ZoneTermsRow {
  return {
    position,
    weekMap: source.weekMap,
    fromMinute: source.from ?? null,
    toMinute: source.to ?? null,
    priority: source.priority,
    minSumKopecks: sumOrNull(source.minSum),
    durationMinutes: durationOf(source.deliveryDurationInMinutes),
    terminalGroupErpId: source.terminalGroupId?.toLowerCase() ?? null,
  };
}

function defaultsRow(source: DeliveryMapSource): DeliveryDefaultsRow {
  return {
    useSameDuration: source.useSameDeliveryDuration,
    durationMinutes: durationOf(source.defaultDeliveryDurationInMinutes),
    selfServiceMinutes: durationOf(source.defaultSelfServiceDurationInMinutes),
    useSameMinSum: source.useSameMinSum,
    minSumKopecks: sumOrNull(source.defaultMinSum),
    useSameInterval: source.useSameWorkTimeInterval,
    fromMinute: minuteOrNull(source.defaultFrom),
    toMinute: minuteOrNull(source.defaultTo),
    useSameWeek: source.useSameRestrictionsOnAllWeek,
  };
}
