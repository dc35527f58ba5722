import { randomUUID } from 'node:crypto';
import { buildDeliveryMap } from '../data/delivery-map.ts';
import type { Context } from '../state.ts';
import { failure, ok, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { visibleOrganizations } from './organizations.ts';

const SETTINGS = {
  deliveryGeocodeServiceType: 1,
  deliveryRegionsMapUrl: null,
  defaultDeliveryDurationInMinutes: 60,
  defaultSelfServiceDurationInMinutes: 20,
  useSameDeliveryDuration: false,
  useSameMinSum: false,
  defaultMinSum: 500,
  useSameWorkTimeInterval: false,
  defaultFrom: null,
  defaultTo: null,
  useSameRestrictionsOnAllWeek: false,
  rejectOnGeocodingError: true,
  addDeliveryServiceCost: false,
  useSameDeliveryServiceProduct: true,
  defaultDeliveryServiceProductId: null,
  useExternalAssignationService: false,
  frontTrustsCallCenterCheck: true,
  externalAssignationServiceUrl: null,
  requireExactAddressForGeocoding: false,
  zonesMode: 0,
  autoAssignExternalDeliveries: false,
  actionOnValidationRejection: 1,
};

export function deliveryRestrictions(context: Context, body: Body): Answer {
  const wanted = stringList(body.organizationIds);
  if (!wanted || wanted.length === 0) return failure(400, 'organizationIds is required.');
  const maps = visibleOrganizations(context)
    .filter(({ id }) => wanted.includes(id))
    .map((organization) => ({
      organizationId: organization.id,
      ...SETTINGS,
      ...buildDeliveryMap(organization),
    }));

  return ok({ correlationId: randomUUID(), deliveryRestrictions: maps });
}
