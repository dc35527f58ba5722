import { requestedLanguage } from '../../../kernel/guest-language.ts';
import { Type } from 'typebox';
import { personalSlots } from '../../../modules/ordering/checkout/personal-slots.ts';
import { DeliverySlots, FulfillmentTypeWord } from '../../../modules/delivery/schemas/hours.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { beginningOfSecond } from '../../http/live/live-path.ts';
import { defineRoute } from '../../http/route.ts';

export const slotsRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/delivery/slots',
  operationId: 'getDeliverySlots',
  summary: 'Times that may be ordered for',
  description:
    'An order carries the `id` of a slot, or `asap`. With `cart_id` the minutes count what staff expect of its dishes, with `address_id` ' +
    'those of the zone that delivers there; without them they are those of the organization.',
  tags: ['Organizations'],
  permission: 'cart',
  query: Strict({
    organization_id: Type.Unsafe<string>({ ...Uuid, description: 'UUID of the organization.' }),
    type: FulfillmentTypeWord,
    cart_id: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'The cart that is ordered from.' }),
    ),
    address_id: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'The address of the delivery, from `POST /addresses`.',
      }),
    ),
  }),
  responses: { 200: DeliverySlots },
  problems: ['not-found'],
  cacheControl: 'no-store',
  handler: async ({ query, actor }, deps) => {
    const at = beginningOfSecond(Date.now());
    const { organization_id: organizationId, type, address_id: addressId } = query;
    const clock = await deps.clocks.load(organizationId.toLowerCase(), requestedLanguage());
    const cartId = actor?.type === 'CART' ? actor.cartId : null;
    if (cartId === null && addressId === undefined)
      return { status: 200, body: clock.slots(type, at) };
    const caller = { cartId, customerId: actor?.customerId ?? null };
    const request = {
      organizationId: clock.organizationId,
      type,
      addressId: addressId?.toLowerCase() ?? null,
      at,
    };

    return { status: 200, body: await personalSlots(deps, caller, request) };
  },
});
