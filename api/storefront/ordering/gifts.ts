import { Type } from 'typebox';
import { ownGifts } from '../../../modules/ordering/own-gifts.ts';
import { OwnGifts } from '../../../modules/ordering/schemas/cart.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';

/** Gifts of the customer who asks. */
export const giftRoutes = [
  defineRoute({
    api: 'public',
    method: 'GET',
    path: '/gifts',
    operationId: 'listOwnGifts',
    summary: 'Own gifts of a customer',
    description:
      'Gifts that the customer can have in this restaurant, the earliest promise first. They come with an order by themselves: ' +
      'the cart shows which. A customer whose provider vouches for no phone has none.',
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
