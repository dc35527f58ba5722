import type { GeoPolygon } from '../../../contracts/fulfillment/zones.ts';
import type { Polygon } from '../../../domain/mirror/zone-polygon.ts';

/** The polygon as GeoJSON, whose rings are closed. */
export function geoPolygon(polygon: Polygon): GeoPolygon {
  return {
    type: 'Polygon',
    coordinates: polygon.map((ring) => [...ring, ...ring.slice(0, 1)].map(([x, y]): [number, number] => [x, y])),
  };
}
