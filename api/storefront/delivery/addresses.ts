import type { CartActor, CustomerActor } from '../../../kernel/actor.ts';
import {
  deleteAddress,
  keepAddress,
  listAddresses,
  type AddressOwner,
} from '../../../modules/delivery/addresses/kept-addresses.ts';
import {
  AddedAddress,
  NewAddress,
  OwnAddress,
} from '../../../modules/delivery/schemas/addresses.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { Page, Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const shared = { api: 'public', tags: ['Delivery'] } as const;

function toOwner(actor: CartActor | CustomerActor | null): AddressOwner {
  if (actor === null)
    throw invalidField(
      'cartId',
      'required',
      'A guest names the cart to which the address belongs.',
    );

  if (actor.type === 'CART' && actor.customerId === null) return { cartId: actor.cartId };

  return { customerId: actor.customerId ?? '' };
}

const addAddressRoute = defineRoute({
  ...shared,
  method: 'POST',
  path: '/addresses',
  operationId: 'addAddress',
  summary: 'Add an address to order to',
  description:
    'Stores an address encrypted and returns who delivers there now, as `POST /delivery/resolve` does. The place is given by `city`, ' +
    '`street` and `house`, by `coords`, or by both: then the point counts if the geocoder cannot find the house. An order needs ' +
    'the words: a point alone is not enough. The address of a guest belongs to the cart: it cannot be read back and is deleted with it, and ' +
    'of more than ten the oldest is deleted. A customer has at most 20 addresses. The same address is kept once (200).',
  permission: 'cart',
  rateLimit: 'addresses',
  idempotent: true,
  body: NewAddress,
  responses: { 200: AddedAddress, 201: AddedAddress },
  problems: ['not-found'],
  links: {
    deleteAddress: { id: 'addressId' },
    getDeliverySlots: { address_id: 'addressId', organization_id: 'organizationId' },
  },
  handler: async ({ body, actor, idempotency }, deps) => {
    const { isNew, added } = await keepAddress(deps, toOwner(actor), body, idempotency);
    return { status: isNew ? 201 : 200, body: added };
  },
});

const listAddressesRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: '/addresses',
  operationId: 'listAddresses',
  summary: 'Own addresses',
  description: 'The addresses of the customer, the newest first.',
  permission: 'customer',
  query: Strict({ ...pageQuery, ...sortQuery(['createdAt']) }),
  responses: { 200: Page(OwnAddress) },
  handler: async ({ query, actor }, deps) => ({
    status: 200,
    body: await listAddresses(deps, actor.customerId, toPage(query)),
  }),
});

const deleteAddressRoute = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/addresses/{id}',
  operationId: 'deleteAddress',
  summary: 'Forget an own address',
  description:
    'The address is permanently deleted. Orders that were placed with it keep their copy.',
  permission: 'customer',
  params: Strict({ id: Uuid }),
  responses: { 204: null },
  problems: ['not-found'],
  handler: async ({ params, actor }, deps) => {
    await deleteAddress(deps, actor.customerId, params.id.toLowerCase());
    return { status: 204 };
  },
});

export const addressRoutes = [addAddressRoute, listAddressesRoute, deleteAddressRoute];
