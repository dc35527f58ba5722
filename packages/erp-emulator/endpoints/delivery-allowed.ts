import { randomUUID } from 'node:crypto';
import { buildDeliveryMap } from '../data/delivery-map.ts';
import type { Organization } from '../model.ts';
import type { Context } from '../state.ts';
import { failure, isBody, ok, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { visibleOrganizations } from './organizations.ts';

type Corner = { latitude: number; longitude: number };

/** Returns true if a ray to the east crosses the border an odd number of times. */
function contains(ring: readonly Corner[], { latitude, longitude }: Corner): boolean {
  const crossings = ring.filter((from, at) => {
    const to = ring[(at + 1) % ring.length]!;
    if (from.latitude > latitude === to.latitude > latitude) return false;
    const share = (latitude - from.latitude) / (to.latitude - from.latitude);
    return longitude < from.longitude + share * (to.longitude - from.longitude);
  });

  return crossings.length % 2 === 1;
}

function findZone(organization: Organization, point: Corner): string | null {
  return (
    buildDeliveryMap(organization).deliveryZones.find(({ coordinates }) =>
      contains(coordinates, point),
    )?.name ?? null
  );
}

export function deliveryAllowed(context: Context, body: Body): Answer {
  const wanted = stringList(body.organizationIds);
  if (!wanted || wanted.length === 0) return failure(400, 'organizationIds is required.');
  if (!isBody(body['orderLocation'])) return failure(400, 'orderLocation is required.');
  const point = {
    latitude: Number(body['orderLocation']['latitude']),
    longitude: Number(body['orderLocation']['longitude']),
  };

  const asked = visibleOrganizations(context)
    .filter(({ id }) => wanted.includes(id))
    .map((organization) => ({
      organizationId: organization.id,
      terminalGroupId: organization.terminalGroups.find(({ asleep }) => !asleep)?.id ?? null,
      zone: findZone(organization, point),
    }));

  const allowedItems = asked
    .filter(({ zone, terminalGroupId }) => zone !== null && terminalGroupId !== null)
    .map((entry) => ({ ...entry, deliveryDurationInMinutes: 50, deliveryServiceProductId: null }));

  return ok({
    correlationId: randomUUID(),
    isAllowed: allowedItems.length > 0,
    rejectCause: null,
    addressExternalId: null,
    location: point,
    allowedItems,
    rejectedItems: asked
      .filter(({ zone }) => zone === null)
      .map((entry) => ({
        ...entry,
        rejectCode: 'OutOfTerminalZone',
        rejectHint: 'Out of the zone',
        rejectItemData: null,
      })),
  });
}
