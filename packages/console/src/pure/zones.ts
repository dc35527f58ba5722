import type { Values } from './fields.ts';
import { haveCommonArea, innerPoint, buildShape, type Position, type Rings } from './polygons.ts';

export type DrawnZone = {
  id: number;
  name: string;
  displayName: string | null;
  priority: number;
  style: { color: string; opacity: number } | null;
  isActive: boolean;
  geometry: { coordinates: readonly (readonly (readonly number[])[])[] } | null;
};

/** Zones without a color get one by their number. */
export const COLORS: Readonly<Record<string, string>> = {
  green: '#1f8a5b',
  blue: '#2f6fd0',
  orange: '#d9761a',
  purple: '#8a4fc7',
  red: '#c93a3a',
  teal: '#12848f',
  brown: '#8b6236',
  pink: '#c2418c',
};

export const OPACITIES = [0.1, 0.2, 0.3, 0.45, 0.6] as const;

const USUAL_OPACITY = 0.3;
const INACTIVE_COLOR = '#808080';

export function chooseStyle({ id, style, isActive }: DrawnZone): {
  color: string;
  opacity: number;
} {
  const colors = Object.values(COLORS);
  if (!isActive) return { color: INACTIVE_COLOR, opacity: 0.1 };
  return style ?? { color: colors[id % colors.length]!, opacity: USUAL_OPACITY };
}

export const nameOf = ({ name, displayName }: Pick<DrawnZone, 'name' | 'displayName'>): string =>
  displayName ?? name;

/** Returns an empty list without an outline. */
export const ringsOf = ({ geometry }: DrawnZone): Rings =>
  (geometry?.coordinates ?? []) as unknown as Rings;

/** Returns, for each active zone, the active zones that overlap it, by priority. */
export function findOverlaps<Zone extends DrawnZone>(zones: readonly Zone[]): Overlaps<Zone> {
  const areas = zones
    .filter(({ isActive }) => isActive)
    .toSorted((one, other) => one.priority - other.priority)
    .map((zone) => ({ zone, shape: buildShape(ringsOf(zone)), overlaps: [] as Zone[] }));

  for (const [at, one] of areas.entries())
    for (const other of areas.slice(0, at)) {
      if (one.shape === null || other.shape === null || !haveCommonArea(one.shape, other.shape))
        continue;
      one.overlaps.push(other.zone);
      other.overlaps.push(one.zone);
    }

  return new Map(areas.map(({ zone, overlaps }) => [zone.id, overlaps]));
}

/** Overlapping zones by zone number. */
export type Overlaps<Zone extends DrawnZone = DrawnZone> = ReadonlyMap<number, readonly Zone[]>;

type Area = { type: 'Polygon'; coordinates: Position[][] };
type Point = { type: 'Point'; coordinates: [number, number] };

type Features<Geometry> = {
  type: 'FeatureCollection';
  features: { type: 'Feature'; geometry: Geometry; properties: Record<string, unknown> }[];
};

export type Drawing = { areas: Features<Area>; labels: Features<Point>; point: Features<Point> };

/**
 * Draws zones and the requested point. Where zones overlap, the serving zone, which has the lowest
 * priority number, is on top. Labels of overlapping zones contain their numbers.
 */
export function buildDrawing(
  zones: readonly DrawnZone[],
  overlaps: Overlaps,
  chosen: number | null,
  point: Position | null,
): Drawing {
  const drawn = zones
    .toSorted(
      (one, other) =>
        Number(one.isActive) - Number(other.isActive) || other.priority - one.priority,
    )
    .map((zone) => ({
      rings: ringsOf(zone),
      properties: {
        id: zone.id,
        ...chooseStyle(zone),
        isActive: zone.isActive,
        isChosen: zone.id === chosen,
        label:
          (overlaps.get(zone.id) ?? []).length > 0
            ? `${nameOf(zone)}\n${zone.priority}`
            : nameOf(zone),
      },
    }))
    .filter(({ rings }) => rings.length > 0);

  return {
    areas: collection(
      drawn.map(({ rings, properties }) => ({
        type: 'Feature',
        geometry: { type: 'Polygon', coordinates: rings.map((ring) => [...ring]) },
        properties,
      })),
    ),
    labels: collection(
      drawn.flatMap(({ rings, properties }) => {
        const place = innerPoint(rings);
        return place === null ? [] : [{ type: 'Feature', geometry: pointAt(place), properties }];
      }),
    ),
    point: collection(
      point === null ? [] : [{ type: 'Feature', geometry: pointAt(point), properties: {} }],
    ),
  };
}

const collection = <Geometry>(features: Features<Geometry>['features']): Features<Geometry> => ({
  type: 'FeatureCollection',
  features,
});

const pointAt = ([longitude, latitude]: Position): Point => ({
  type: 'Point',
  coordinates: [longitude, latitude],
});

/** Decimals of degrees. Five are about one meter. */
const DECIMALS = 5;

/** Formats a position with latitude first, such as `55.7558, 37.6173`. */
export const positionText = ([longitude, latitude]: Position): string =>
  `${latitude.toFixed(DECIMALS)}, ${longitude.toFixed(DECIMALS)}`;

/** Parses latitude and longitude; null if invalid. */
export function parsePosition(text: string): Position | null {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  const [latitude, longitude] = [Number(found?.[1]), Number(found?.[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [longitude, latitude] : null;
}

/**
 * Returns the request for changed fields. The API replaces `style` and `texts` completely, so their
 * other fields are included.
 */
export function zoneChange(
  { style, texts, ...others }: Values,
  zone: DrawnZone & { texts: { description?: string; notice?: string } },
): Values {
  const filled = (fields: object) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return {
    ...others,
    ...(style === undefined ? {} : { style: nextStyle(zone, style as Partial<Style>) }),
    ...(texts === undefined ? {} : { texts: filled({ ...zone.texts, ...(texts as object) }) }),
  };
}

type Style = { color: string | null; opacity: number | null };

/** Null, the usual style, if the color is cleared. */
function nextStyle(zone: DrawnZone, change: Partial<Style>): object | null {
  const { color, opacity } = { ...(zone.style ?? { color: null, opacity: null }), ...change };
  if (color === null && (change.opacity ?? null) === null) return null;
  const usual = chooseStyle({ ...zone, style: null, isActive: true });
  return { color: color ?? usual.color, opacity: opacity ?? usual.opacity };
}
