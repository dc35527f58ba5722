import { saveZones } from '../../modules/mirror/zones/save-zones.ts';
import type { Database } from './text-database.ts';
import { createAnomalies } from '../../modules/mirror/rules/anomalies.ts';
import {
  deliveryMapRows,
  type DeliveryMapSource,
} from '../../modules/mirror/rules/delivery-map.ts';

type Zone = NonNullable<DeliveryMapSource['deliveryZones']>[number];
type Rule = NonNullable<DeliveryMapSource['restrictions']>[number];

/** A zone from `west` and `south`, `width` degrees wide and one degree high. */
export const square = (name: string, west: number, south = 0, width = 1): Zone => ({
  name,
  coordinates: [
    [west, south],
    [west + width, south],
    [west + width, south + 1],
    [west, south + 1],
  ].map(([longitude, latitude]) => ({ longitude: longitude!, latitude: latitude! })),
});

/** A rule of a zone for every day: minimum 700 rubles, 45 minutes. */
export const rule = (zone: string, more: Partial<Rule> = {}): Rule => ({
  zone,
  weekMap: 127,
  priority: 1,
  minSum: 700,
  deliveryDurationInMinutes: 45,
  ...more,
});

export const buildDeliveryMap = (
  organizationId: string,
  deliveryZones: Zone[],
  restrictions: Rule[] = [],
): DeliveryMapSource => ({
  organizationId,
  useSameDeliveryDuration: false,
  defaultDeliveryDurationInMinutes: 60,
  defaultSelfServiceDurationInMinutes: 20,
  useSameMinSum: false,
  useSameWorkTimeInterval: false,
  useSameRestrictionsOnAllWeek: false,
  restrictions,
  deliveryZones,
});

export async function drawMap(
  db: Database,
  { id, erpId }: { id: number; erpId: string },
  deliveryZones: Zone[],
  restrictions: Rule[],
  defaults: Partial<DeliveryMapSource> = {},
): Promise<void> {
  const map = deliveryMapRows(
    { ...buildDeliveryMap(erpId, deliveryZones, restrictions), ...defaults },
    createAnomalies(),
  );
  await db.transaction((tx) => saveZones(tx, new Map([[id, map]])));
}
