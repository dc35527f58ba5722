import type { Organization } from '../model.ts';

type Corner = { latitude: number; longitude: number };
type Zone = { name: string; addresses: object[]; coordinates: Corner[] };

/** Half the width in km: neighbors in a city do not overlap. */
const REACH_KM = 2;
const KM_PER_DEGREE = 111.32;
/** Angles from north to south, in degrees counter-clockwise from the east. */
const WEST = [90, 120, 150, 180, 210, 240, 270];
const EAST = [270, 300, 330, 0, 30, 60, 90];

const WEEK = 127;
const WORKING_DAYS = 31;
const WEEKEND = 96;

/** Builds two zones with a common border; the eastern one is more expensive at weekends. */
export function buildDeliveryMap(organization: Organization): {
  deliveryZones: Zone[];
  restrictions: object[];
} {
  const { latitude, longitude } = organization;
  const corner = (degrees: number): Corner => {
    const angle = (degrees * Math.PI) / 180;
    const east =
      (REACH_KM * Math.cos(angle)) / (KM_PER_DEGREE * Math.cos((latitude * Math.PI) / 180));
    const north = (REACH_KM * Math.sin(angle)) / KM_PER_DEGREE;
    const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

    return { latitude: rounded(latitude + north), longitude: rounded(longitude + east) };
  };

  const west = { name: 'Запад', addresses: [], coordinates: WEST.map(corner) };
  // The real system pads some names and closes some rings.
  const east = { name: 'Восток ', addresses: [], coordinates: [...EAST, EAST[0]!].map(corner) };
  const awake = organization.terminalGroups.filter((group) => !group.asleep);
  const rule = (
    zone: string,
    weekMap: number,
    minSum: number,
    minutes: number,
    priority: number,
  ): object => ({
    minSum,
    terminalGroupId: awake.at(-1)?.id ?? null,
    organizationId: organization.id,
    zone,
    weekMap,
    from: null,
    to: null,
    priority,
    deliveryDurationInMinutes: minutes,
    deliveryServiceProductId: null,
  });

  return {
    deliveryZones: [west, east],
    restrictions: [
      rule('Запад', WEEK, 700, 45, 1),
      rule('Восток', WORKING_DAYS, 900, 60, 1),
      rule('Восток', WEEKEND, 1200, 75, 1),
    ],
  };
}
