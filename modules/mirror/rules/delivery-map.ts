import type { Anomalies } from './anomalies.ts';
import { crossingArea } from './ring-crossing.ts';
import { cleanText, isPrice, kopecks } from './values.ts';
import { zonePolygon, type Polygon } from './zone-polygon.ts';

type Maybe<T> = T | null | undefined;

export type DeliveryMapSource = {
  organizationId: string;
  useSameDeliveryDuration?: Maybe<boolean>;
  defaultDeliveryDurationInMinutes?: Maybe<number>;
  defaultSelfServiceDurationInMinutes?: Maybe<number>;
  useSameMinSum?: Maybe<boolean>;
  defaultMinSum?: Maybe<number>;
  useSameWorkTimeInterval?: Maybe<boolean>;
  defaultFrom?: Maybe<number>;
  defaultTo?: Maybe<number>;
  useSameRestrictionsOnAllWeek?: Maybe<boolean>;
  restrictions: readonly RestrictionSource[] | null;
  deliveryZones:
    | readonly {
        name?: string | null;
        coordinates?: readonly { latitude?: unknown; longitude?: unknown }[] | null;
      }[]
    | null;
};

type RestrictionSource = {
  zone?: Maybe<string>;
  organizationId?: Maybe<string>;
  terminalGroupId?: Maybe<string>;
  weekMap?: Maybe<number>;
  from?: Maybe<number>;
  to?: Maybe<number>;
  priority?: Maybe<number>;
  minSum?: Maybe<number>;
  deliveryDurationInMinutes?: Maybe<number>;
};

/** Amounts in kopecks, times in minutes. */
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

/** `position` is the index in the ERP's list. */
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
const EACH_DAY = 127;

const isMinute = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= DAY;
const isDuration = (value: number): boolean => value >= 0 && value <= WEEK;
const minuteOrNull = (value: number | null | undefined): number | null =>
  value != null && isMinute(value) ? value : null;
const sumOrNull = (rubles: number | null | undefined): number | null =>
  rubles != null && isPrice(rubles) ? kopecks(rubles) : null;
const toDuration = (minutes: Maybe<number>): number =>
  minutes != null && isDuration(minutes) ? Math.round(minutes) : 0;

/**
 * Converts the map of one organization to rows. Zones are identified by trimmed names. Skips
 * invalid rows, but keeps a zone with an invalid outline without it (MIR-41, MIR-42). Missing
 * values of a rule come from the organization (MIR-87).
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

  for (const [position, stated] of (source.restrictions ?? []).entries()) {
    const restriction = {
      ...stated,
      weekMap: stated.weekMap ?? EACH_DAY,
      priority: stated.priority ?? 0,
      deliveryDurationInMinutes:
        stated.deliveryDurationInMinutes ?? source.defaultDeliveryDurationInMinutes ?? -1,
    };

    const sample = `${organization}/${restriction.zone ?? ''}`;
    const zone = zones.get(cleanText(restriction.zone) ?? '');
    const owner = restriction.organizationId?.toLowerCase() ?? organization;
    if (zone === undefined || owner !== organization) anomalies.add('UNKNOWN_ZONE', sample);
    else if (isPossible(restriction)) {
      if (restriction.minSum != null && !isPrice(restriction.minSum))
        anomalies.add('INVALID_PRICE', sample);
      zone.terms.push(termsRow(restriction, position));
    } else anomalies.add('INVALID_ZONE_TERMS', sample);
  }

  return { defaults: defaultsRow(source), zones: [...zones.values()] };
}

type Terms = RestrictionSource & {
  weekMap: number;
  priority: number;
  deliveryDurationInMinutes: number;
};

function isPossible({ weekMap, from, to, priority, deliveryDurationInMinutes }: Terms): boolean {
  const isWeek = Number.isInteger(weekMap) && weekMap >= 0 && weekMap < 128;
  const isRank = Number.isInteger(priority) && Math.abs(priority) <= LARGEST_INT;
  const isInterval = [from, to].every((minute) => minute == null || isMinute(minute));
  return isWeek && isRank && isInterval && isDuration(deliveryDurationInMinutes);
}

function termsRow(source: Terms, position: number): ZoneTermsRow {
  return {
    position,
    weekMap: source.weekMap,
    fromMinute: source.from ?? null,
    toMinute: source.to ?? null,
    priority: source.priority,
    minSumKopecks: sumOrNull(source.minSum),
    durationMinutes: toDuration(source.deliveryDurationInMinutes),
    terminalGroupErpId: source.terminalGroupId?.toLowerCase() ?? null,
  };
}

/** A missing flag is true if no rule has a duration (MIR-87). */
function defaultsRow(source: DeliveryMapSource): DeliveryDefaultsRow {
  const { defaultDeliveryDurationInMinutes: duration } = source;
  const areBare = (...fields: (keyof RestrictionSource)[]): boolean =>
    (source.restrictions ?? []).every((rule) => fields.every((field) => rule[field] == null));

  return {
    useSameDuration:
      duration != null && (source.useSameDeliveryDuration ?? areBare('deliveryDurationInMinutes')),
    durationMinutes: toDuration(duration),
    selfServiceMinutes: toDuration(source.defaultSelfServiceDurationInMinutes),
    useSameMinSum: source.useSameMinSum ?? areBare('minSum'),
    minSumKopecks: sumOrNull(source.defaultMinSum),
    useSameInterval: source.useSameWorkTimeInterval ?? areBare('from', 'to'),
    fromMinute: minuteOrNull(source.defaultFrom),
    toMinute: minuteOrNull(source.defaultTo),
    useSameWeek: source.useSameRestrictionsOnAllWeek ?? areBare('weekMap'),
  };
}
