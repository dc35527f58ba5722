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
import { Id, OrganizationId, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const tags = ['Delivery zones'];

const listDeliveryZonesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/delivery-zones',
  restaurants: 'LISTED',
  operationId: 'listDeliveryZones',
  summary: 'Delivery zones',
  description:
    'Zones of the ERP with their polygon and rules, and what staff have set for them, sorted by organization and ' +
    'name. Zones that the ERP no longer lists are inactive.',
  tags,
  permission: 'ordering.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'priority', 'isActive', 'changedAt']),
    organization_id: Type.Optional(OrganizationId),
  }),
  responses: { 200: Page(DeliveryZone) },
  handler: async ({ query, actor: { scope } }, deps) => ({
    status: 200,
    body: await listDeliveryZones(deps, { ...pageOf(query), organizationId: query.organization_id, scope }),
  }),
});

const getDeliveryZoneRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/delivery-zones/{id}',
  restaurants: ({ params }, { db }) => restaurantsOfZone(db, params.id),
  operationId: 'getDeliveryZone',
  summary: 'One delivery zone',
  description: 'An update has to name `version`.',
  tags,
  permission: 'ordering.read',
  params: IdParams,
  responses: { 200: DeliveryZone },
  problems: ['not-found'],
  handler: async ({ params }, deps) => ({ status: 200, body: await getDeliveryZone(deps, params.id) }),
});

const editDeliveryZoneRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/delivery-zones/{id}',
  restaurants: ({ params }, { db }) => restaurantsOfZone(db, params.id),
  operationId: 'updateDeliveryZone',
  summary: 'Change how a delivery zone is shown',
  description: 'An absent field keeps its value, `null` clears it. What the ERP states about the zone is not changed.',
  tags,
  permission: 'ordering.manage',
  params: IdParams,
  body: DeliveryZoneEdit,
  responses: { 200: DeliveryZone },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editDeliveryZone(deps, actor, params.id, body),
  }),
});

const listZoneOverridesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/zone-overrides',
  restaurants: 'LISTED',
  operationId: 'listZoneOverrides',
  summary: 'Zone overrides',
  description: 'Other terms of delivery zones for a time, the newest first, for one zone or for all.',
  tags,
  permission: 'ordering.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['validFrom', 'validTo', 'createdAt']),
    zone_id: Type.Optional(Type.Integer({ ...Id, description: 'Id of a delivery zone.' })),
  }),
  responses: { 200: Page(ZoneOverride) },
  handler: async ({ query, actor: { scope } }, { db }) => ({
    status: 200,
    body: await listZoneOverrides(db, { ...pageOf(query), zoneId: query.zone_id, scope }),
  }),
});

const createZoneOverrideRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/zone-overrides',
  restaurants: ({ body }, { db }) => restaurantsOfZone(db, body.zoneId),
  operationId: 'createZoneOverride',
  summary: 'Set other terms for a zone',
  description:
    'The values apply instead of those of the ERP from `validFrom` until `validTo`; a value that is left out stays ' +
    'that of the ERP. When several overrides of a zone are valid, the one that began last applies.',
  tags,
  permission: 'ordering.manage',
  idempotent: true,
  body: NewZoneOverride,
  responses: { 201: ZoneOverride },
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await createZoneOverride(deps, actor, body, idempotency),
  }),
});

const getZoneOverrideRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/zone-overrides/{id}',
  restaurants: ({ params }, { db }) => restaurantsOfOverride(db, params.id),
  operationId: 'getZoneOverride',
  summary: 'One zone override',
  description: 'An update has to name `version`.',
  tags,
  permission: 'ordering.read',
  params: IdParams,
  responses: { 200: ZoneOverride },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getZoneOverride(db, params.id) }),
});

const editZoneOverrideRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/zone-overrides/{id}',
  restaurants: ({ params }, { db }) => restaurantsOfOverride(db, params.id),
  operationId: 'updateZoneOverride',
  summary: 'Change a zone override',
  description: 'An absent field keeps its value, `null` clears it. The zone cannot be changed.',
  tags,
  permission: 'ordering.manage',
  params: IdParams,
  body: ZoneOverrideEdit,
  responses: { 200: ZoneOverride },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editZoneOverride(deps, actor, params.id, body),
  }),
});

const deleteZoneOverrideRoute = defineRoute({
  api: 'admin',
  method: 'DELETE',
  path: '/zone-overrides/{id}',
  restaurants: ({ params }, { db }) => restaurantsOfOverride(db, params.id),
  operationId: 'deleteZoneOverride',
  summary: 'Delete a zone override',
  description: 'The terms of the ERP apply to the zone again.',
  tags,
  permission: 'ordering.manage',
  params: IdParams,
  responses: { 204: null },
  problems: ['not-found'],
  handler: async ({ params, actor }, deps) => {
    await deleteZoneOverride(deps, actor, params.id);
    return { status: 204 };
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
  permission: 'ordering.read',
  body: PlaceToResolve,
  responses: { 200: DeliveryExplanation },
  handler: async ({ body }, deps) => ({ status: 200, body: await explainDelivery(deps, body) }),
});

/** Routes of delivery zones for staff. */
export const deliveryZoneRoutes = [
  listDeliveryZonesRoute,
  getDeliveryZoneRoute,
  editDeliveryZoneRoute,
  listZoneOverridesRoute,
  createZoneOverrideRoute,
  getZoneOverrideRoute,
  editZoneOverrideRoute,
  deleteZoneOverrideRoute,
  explainDeliveryRoute,
];
