import { Type } from 'typebox';
import { suggestAddresses } from '../../../modules/delivery/addresses/suggest-addresses.ts';
import { resolveDelivery } from '../../../modules/delivery/zones/resolve-delivery.ts';
import {
  AddressSuggestions,
  DeliveryResolution,
  PlaceToResolve,
} from '../../../modules/delivery/schemas/zones.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { addressRoutes } from './addresses.ts';

const resolveDeliveryRoute = defineRoute({
  api: 'public',
  method: 'POST',
  path: '/delivery/resolve',
  operationId: 'resolveDelivery',
  summary: 'Resolve the delivery of a place',
  description:
    'Finds the delivery zone of a place, the organization that serves it, its minimum order sum and delivery time at ' +
    'this moment. The place is an `address` or a point, exactly one of them. When no zone serves the place, `resolved` is ' +
    'false and `reason` contains the cause.',
  tags: ['Delivery'],
  permission: 'public',
  rateLimit: 'addresses',
  body: PlaceToResolve,
  responses: { 200: DeliveryResolution },
  handler: async ({ body }, deps) => ({ status: 200, body: await resolveDelivery(deps, body) }),
});

const suggestAddressesRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/addresses/suggest',
  operationId: 'suggestAddresses',
  summary: 'Addresses that may be meant',
  description:
    'Completes what a guest types, near the organization when one is named. Choose a suggestion with the precision HOUSE ' +
    'and send its `address` or `coords` to `POST /delivery/resolve`.',
  tags: ['Delivery'],
  permission: 'public',
  rateLimit: 'addresses',
  query: Strict({
    q: Type.String({ minLength: 3, maxLength: 200, description: 'Beginning of an address.' }),
    organization_id: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'UUID of the organization.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, default: 5, description: 'Most suggestions.' }),
    ),
  }),
  responses: { 200: AddressSuggestions },
  problems: ['not-found'],
  cacheControl: 'no-store',
  handler: async ({ query: { q, limit = 5, organization_id: organizationId } }, deps) => ({
    status: 200,
    body: await suggestAddresses(deps, { q, limit, organizationId }),
  }),
});

export const deliveryRoutes = [resolveDeliveryRoute, suggestAddressesRoute, ...addressRoutes];
