import { Type } from 'typebox';
import { ownGifts } from '../../../modules/ordering/cart/own-gifts.ts';
import { OwnGifts } from '../../../modules/ordering/schemas/cart.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';

export const giftRoutes = [
  defineRoute({
    api: 'public',
    method: 'GET',
    path: '/gifts',
    operationId: 'listOwnGifts',
    summary: 'Own gifts of a customer',
    description:
      'Gifts that the customer can have in this restaurant, the earliest promise first. They are added to an order automatically: ' +
      'the cart shows which. A customer without a verified phone has none.',
    tags: ['Gifts'],
    permission: 'customer',
    query: Strict({
      organization_id: Type.Unsafe<string>({ ...Uuid, description: 'UUID of the organization.' }),
    }),
    responses: { 200: OwnGifts },
    problems: ['not-found'],
    rateLimit: 'ordering',
    handler: async ({ query, actor }, deps) => ({
      status: 200,
      body: await ownGifts(deps, actor, query.organization_id.toLowerCase(), new Date()),
    }),
  }),
];
