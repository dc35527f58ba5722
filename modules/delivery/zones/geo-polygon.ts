import type { GeoPolygon } from '../schemas/zones.ts';
import type { Polygon } from '../../mirror/rules/zone-polygon.ts';

/** The polygon as GeoJSON, whose rings are closed. */
export function geoPolygon(polygon: Polygon): GeoPolygon {
  return {
    type: 'Polygon',
    coordinates: polygon.map((ring) => [...ring, ...ring.slice(0, 1)].map(([x, y]): [number, number] => [x, y])),
  };
}
