import { Type } from 'typebox';
import { explainRight } from '../../../modules/ordering/staff/explain-right.ts';
import { CompensationExplanation } from '../../../modules/gifts/schemas/explanation.ts';
import { Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';

/** Operations of staff on gifts and carts together. */
export const giftOfCartRoutes = [
  defineRoute({
    api: 'admin',
    method: 'GET',
    path: '/compensations/{id}/explain',
    operationId: 'explainCompensation',
    summary: 'Explain why a cart contains a gift or not',
    description: 'Every rule of the offer with what it looked at, as it is now. Nothing is changed.',
    tags: ['Gifts'],
    permission: 'compensations.read',
    params: Strict({ id: Type.Unsafe<string>({ ...Uuid, description: 'Id of the right.' }) }),
    query: Strict({ cart_id: Type.Unsafe<string>({ ...Uuid, description: 'Id of the cart.' }) }),
    responses: { 200: CompensationExplanation },
    problems: ['not-found'],
    handler: async ({ params, query }, deps) => ({
      status: 200,
      body: await explainRight(deps, { id: params.id.toLowerCase(), cartId: query.cart_id.toLowerCase() }),
    }),
  }),
];
