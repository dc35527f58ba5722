import { Type } from 'typebox';
import {
  editDeliveryZone,
  getDeliveryZone,
  listDeliveryZones,
} from '../../../modules/delivery/zones/delivery-zones.ts';
import {
  restaurantsOfOverride,
  restaurantsOfZone,
} from '../../../modules/delivery/configuration/restaurants-of-rows.ts';
import { explainDelivery } from '../../../modules/delivery/zones/explain-delivery.ts';
import {
  createZoneOverride,
  deleteZoneOverride,
  editZoneOverride,
  getZoneOverride,
  listZoneOverrides,
} from '../../../modules/delivery/zones/zone-overrides.ts';
import {
  DeliveryExplanation,
  DeliveryZone,
  DeliveryZoneEdit,
  NewZoneOverride,
  PlaceToResolve,
  ZoneOverride,
  ZoneOverrideEdit,
} from '../../../modules/delivery/schemas/zones.ts';
import { Id, OrganizationId } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';

const tags = ['Delivery zones'];
const permission = { reads: 'ordering.read', writes: 'ordering.manage' } as const;

const zoneRoutes = defineResource({
  path: '/delivery-zones',
  tags,
  permission,
  restaurants: restaurantsOfZone,
  item: DeliveryZone,
  list: {
    operationId: 'listDeliveryZones',
    summary: 'Delivery zones',
    description:
      'Zones of the ERP with their polygon and rules, and what staff have set for them, sorted by organization and ' +
      'name. Zones that the ERP no longer lists are inactive.',
    sort: ['name', 'priority', 'isActive', 'changedAt'],
    filters: { organization_id: Type.Optional(OrganizationId) },
    run: (deps, page, query) =>
      listDeliveryZones(deps, { ...page, organizationId: query.organization_id }),
  },
  get: {
    operationId: 'getDeliveryZone',
    summary: 'One delivery zone',
    run: getDeliveryZone,
  },
  edit: {
    operationId: 'updateDeliveryZone',
    summary: 'Change how a delivery zone is shown',
    description:
      'An absent field keeps its value, `null` clears it. What the ERP states about the zone is not changed.',
    body: DeliveryZoneEdit,
    run: editDeliveryZone,
  },
});

const overrideRoutes = defineResource({
  path: '/zone-overrides',
  tags,
  permission,
  restaurants: restaurantsOfOverride,
  item: ZoneOverride,
  list: {
    operationId: 'listZoneOverrides',
    summary: 'Zone overrides',
    description:
      'Other terms of delivery zones for a time, the newest first, for one zone or for all.',
    sort: ['validFrom', 'validTo', 'createdAt'],
    filters: {
      zone_id: Type.Optional(Type.Integer({ ...Id, description: 'Id of a delivery zone.' })),
    },
    run: ({ db }, page, query) => listZoneOverrides(db, { ...page, zoneId: query.zone_id }),
  },
  create: {
    operationId: 'createZoneOverride',
    summary: 'Set other terms for a zone',
    description:
      'The values apply instead of those of the ERP from `validFrom` until `validTo`; a value that is left out stays ' +
      'that of the ERP. When several overrides of a zone are valid, the one that began last applies.',
    body: NewZoneOverride,
    restaurants: (db, body) => restaurantsOfZone(db, body.zoneId),
    run: createZoneOverride,
  },
  get: {
    operationId: 'getZoneOverride',
    summary: 'One zone override',
    run: ({ db }, id) => getZoneOverride(db, id),
  },
  edit: {
    operationId: 'updateZoneOverride',
    summary: 'Change a zone override',
    description: 'An absent field keeps its value, `null` clears it. The zone cannot be changed.',
    body: ZoneOverrideEdit,
    run: editZoneOverride,
  },
  remove: {
    operationId: 'deleteZoneOverride',
    summary: 'Delete a zone override',
    description: 'The terms of the ERP apply to the zone again.',
    run: deleteZoneOverride,
  },
});

const explainDeliveryRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/delivery/explain',
  operationId: 'explainDelivery',
  summary: 'Why a place is served by whom',
  description:
    'Answers what guests get for the same place at this moment, with every zone that contains its point, the rule that ' +
    'decided and a GeoJSON of it. Nothing is changed.',
  tags,
  permission: permission.reads,
  body: PlaceToResolve,
  responses: { 200: DeliveryExplanation },
  handler: async ({ body }, deps) => ({ status: 200, body: await explainDelivery(deps, body) }),
});

export const deliveryZoneRoutes = [...zoneRoutes, ...overrideRoutes, explainDeliveryRoute];
