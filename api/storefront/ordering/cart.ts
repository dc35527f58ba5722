import { Type } from 'typebox';
import { readCardOfCart } from '../../../modules/ordering/cart/card-of-cart.ts';
import { changeCart, getCart } from '../../../modules/ordering/cart/carts.ts';
import { tryPromocode } from '../../../modules/ordering/promotions/promocode-throttle.ts';
import { Cart, PostedCart } from '../../../modules/ordering/schemas/cart.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import type { CartActor, CustomerActor } from '../../../kernel/actor.ts';
import { countingNewCart } from '../../http/limits/new-carts.ts';
import { defineRoute } from '../../http/route.ts';

const tags = ['Cart'];

const toCaller = (actor: CartActor | CustomerActor | null) => ({
  cartId: actor?.type === 'CART' ? actor.cartId : null,
  customerId: actor?.customerId ?? null,
  verifiedPhone: actor?.verifiedPhone ?? null,
});

const getCartRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/cart',
  operationId: 'getCart',
  summary: 'A cart as it can be ordered now',
  description:
    'Prices and availability are those of this moment. What can no longer be sold is removed and listed in `changes` until a newer ' +
    'version is posted. A customer may omit `cart_id` and gets their own cart.',
  tags,
  permission: 'cart',
  query: Strict({ cart_id: Type.Optional(Uuid) }),
  responses: { 200: Cart },
  problems: ['not-found'],
  links: { getDeliverySlots: { cart_id: 'cartId', organization_id: 'organizationId' } },
  handler: async ({ actor }, deps) => {
    if (actor === null) throw invalidField('cart_id', 'required', 'The id of the cart is missing.');
    const caller = toCaller(actor);
    const card = await readCardOfCart(deps, caller);
    return { status: 200, body: await getCart(deps, caller, new Date(), card) };
  },
});

const changeCartRoute = defineRoute({
  api: 'public',
  method: 'POST',
  path: '/cart',
  operationId: 'changeCart',
  summary: 'Make or change a cart',
  description:
    'Send the complete cart of the guest. The response contains the resulting cart and is the only source of totals. Without `cartId` ' +
    'a cart is created (201). A change requires the current `version`; otherwise the response is 409 with the current version. A cart ' +
    'expires 30 days after its last change, and after 2 days if it was never used again and has no customer. The comments of all lines total at ' +
    'most 4,096 bytes (UTF-8). One client address can create a limited number of guest carts in 24 hours (429). A guest cart that is ' +
    'posted with the token of a customer is assigned to this customer: the lines of their own cart are added, equal lines are summed, and ' +
    'the posted id stays valid.',
  tags,
  permission: 'cart',
  idempotent: true,
  body: PostedCart,
  responses: { 200: Cart, 201: Cart },
  problems: ['not-found', 'version-conflict'],
  rateLimit: 'ordering',
  bodyLimit: 262_144,
  links: {
    getCart: { cart_id: 'cartId' },
    getDeliverySlots: { cart_id: 'cartId', organization_id: 'organizationId' },
  },
  handler: async ({ body, actor, clientAddress, idempotency }, deps) => {
    const caller = toCaller(actor);
    const tried = { ...caller, address: clientAddress, promocode: body.promocode ?? null };
    const card = await readCardOfCart(deps, caller, body.organizationId.toLowerCase());
    const change = () =>
      tryPromocode(deps.db, tried, () =>
        changeCart(deps, caller, body, new Date(), { idempotency, card }),
      );

    const { isNew, cart } =
      actor === null
        ? await countingNewCart(deps, clientAddress, change, (made) => made.isNew)
        : await change();

    return { status: isNew ? 201 : 200, body: cart };
  },
});

export const cartRoutes = [getCartRoute, changeCartRoute];
