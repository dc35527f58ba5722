import type { DeliveryResolution, PlaceToResolve } from '../schemas/zones.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { momentText } from '../rules/schedule.ts';
import type { Position } from '../../mirror/rules/zone-polygon.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { AddressSearch } from '../addresses/address-search.ts';
import { locatePlace, type LocatedPlace } from '../addresses/locate-place.ts';
import type { DeliveryMap, DeliveryMaps } from './delivery-map.ts';
import type { ErpServing } from './erp-serving.ts';
import { zoneOfPoint, type PointResolution, type ServingPoint } from './resolve-point.ts';

export type ResolveDeps = {
  db: Sql;
  deliveryMaps: DeliveryMaps;
  erpServing: ErpServing;
  addressSearch: AddressSearch | null;
  env: { SYNC_TIME_ZONE: string };
};

type Reason = NonNullable<DeliveryResolution['reason']>;

export type ServedPlace = {
  located: LocatedPlace;
  /** A reason that does not depend on zones. */
  refused: Reason | null;
  /** Null without coordinates. */
  point: ServingPoint | null;
  defaultTimeZone: string;
};

export type PlaceService = PointResolution & {
  /** The requested moment, or the start of the next interval. */
  at: number;
};

/**
 * Returns the service at a moment (ms) or in the next interval (FUL-53); null without coordinates.
 */
export function findService(
  { point }: Pick<ServedPlace, 'point'>,
  at: number,
): PlaceService | null {
  if (point === null) return null;
  const from = point.servedFrom(at) ?? at;
  return { ...point.zoneAt(from), at: from };
}

/**
 * Returns who delivers now, and on which terms. Problem `validation` unless a valid address or
 * coordinates are given, but not both.
 */
export async function resolveDelivery(
  deps: ResolveDeps,
  place: PlaceToResolve,
): Promise<DeliveryResolution> {
  return resolutionAt(await servePlace(deps, await locatePlace(deps, place)), Date.now());
}

/**
 * Prepares the service of a place; rejects incomplete addresses (FUL-33). May call the ERP
 * (FUL-46): call it outside of transactions.
 */
export async function servePlace(
  { db, deliveryMaps, erpServing, env }: Omit<ResolveDeps, 'addressSearch'>,
  located: LocatedPlace,
): Promise<ServedPlace> {
  if (located.coords === null)
    return { located, refused: located.reason, point: null, defaultTimeZone: env.SYNC_TIME_ZONE };
  const { precision, missing } = located;
  const isExact = missing.length === 0 || (precision === 'STREET' && (await acceptsStreets(db)));
  const map = await deliveryMaps.current();
  const servers =
    map.serving === 'ERP' && isExact ? await findServers(map, located.coords, erpServing) : null;

  return {
    located,
    refused: isExact ? null : 'ADDRESS_IMPRECISE',
    point: zoneOfPoint(map, located.coords, env.SYNC_TIME_ZONE, servers),
    defaultTimeZone: env.SYNC_TIME_ZONE,
  };
}

async function findServers({ index }: DeliveryMap, point: Position, erpServing: ErpServing) {
  const organizations = index.at(point).map((zone) => zone.organization);
  if (organizations.length === 0) return null;
  const byConnection = Map.groupBy(organizations, (entry) => entry.connectionId);
  const candidates = [...byConnection].map(
    ([id, own]) => [id, [...new Set(own.map((entry) => entry.erpId))]] as const,
  );

  return erpServing.at(point, new Map(candidates));
}

async function acceptsStreets(db: Sql): Promise<boolean> {
  return (await readSettings(db, 'imprecise_address')).imprecise_address === 'ACCEPT';
}

const NOBODY = {
  resolved: false,
  servedNow: false,
  nextServedAt: null,
  zoneId: null,
  zoneName: null,
  organizationId: null,
  minOrderSum: null,
  deliveryFee: null,
  deliveryDurationMinutes: null,
} as const;

function unresolved(reason: Reason, located: LocatedPlace): DeliveryResolution {
  const { coords, precision: addressPrecision } = located;
  if (coords !== null)
    return { ...NOBODY, reason, coords: [...coords], addressPrecision, candidates: [] };
  return { ...NOBODY, reason, coords, addressPrecision, candidates: [...located.candidates] };
}

/** Returns the delivery at a moment (ms), or in the next interval (FUL-53). */
export function resolutionAt(place: ServedPlace, at: number): DeliveryResolution {
  const { located, refused } = place;
  const service = findService(place, at);
  if (refused !== null || service === null)
    return unresolved(refused ?? 'ADDRESS_NOT_FOUND', located);
  const { choice, zone } = service;
  if (choice.outcome !== 'CHOSEN' || zone === null)
    return unresolved(
      choice.outcome === 'ZONES_OVERLAP' ? 'ZONES_OVERLAP' : 'ZONE_NOT_FOUND',
      located,
    );

  return {
    resolved: true,
    reason: null,
    servedNow: service.at === at,
    nextServedAt:
      service.at === at
        ? null
        : momentText(service.at, zone.organization.timeZone ?? place.defaultTimeZone),
    zoneId: zone.id,
    zoneName: zone.displayName ?? zone.name,
    organizationId: zone.organization.erpId,
    minOrderSum: choice.terms.minSumKopecks,
    deliveryFee: choice.terms.deliveryFeeKopecks,
    deliveryDurationMinutes: choice.terms.durationMinutes,
    coords: located.coords === null ? null : [...located.coords],
    addressPrecision: located.precision,
    candidates: [],
  };
}
