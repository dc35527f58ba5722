import { Type } from 'typebox';
import { explainRight } from '../../../modules/ordering/staff/explain-right.ts';
import { CompensationExplanation } from '../../../modules/gifts/schemas/explanation.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { OrganizationId, Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';

export const giftOfCartRoutes = [
  defineRoute({
    api: 'admin',
    method: 'GET',
    path: '/compensations/{id}/explain',
    operationId: 'explainCompensation',
    summary: 'Explain why a client gets a gift or not',
    description:
      'Every rule of the offer with what it looked at, as it is now. Nothing is changed. Name at most one of a cart, an order and ' +
      'a restaurant. For an order, the rules apply to its restaurant and customer. For a restaurant, the rules about a customer ' +
      'and their choice are left out. Without any of them, only the rules of the right itself are listed.',
    tags: ['Gifts'],
    permission: 'compensations.read',
    params: Strict({ id: Type.Unsafe<string>({ ...Uuid, description: 'Id of the right.' }) }),
    query: Strict({
      cart_id: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'Id of the cart.' })),
      order_id: Type.Optional(
        Type.Unsafe<string>({ ...Uuid, description: 'Id of an order of either channel.' }),
      ),
      organization_id: Type.Optional(OrganizationId),
    }),
    responses: { 200: CompensationExplanation },
    problems: ['not-found'],
    async handler(
      { params, query: { cart_id: cartId, order_id: orderId, organization_id: organizationId } },
      deps,
    ) {
      const [, second] = Object.entries({
        cart_id: cartId,
        order_id: orderId,
        organization_id: organizationId,
      }).filter(([, value]) => value !== undefined);
      if (second !== undefined)
        throw invalidField(second[0], 'invalid', 'Name a cart, an order or a restaurant.');

      const subject = {
        ...(cartId === undefined ? {} : { cartId: cartId.toLowerCase() }),
        ...(orderId === undefined ? {} : { orderId: orderId.toLowerCase() }),
        ...(organizationId === undefined ? {} : { organizationId }),
      };

      return {
        status: 200,
        body: await explainRight(deps, { id: params.id.toLowerCase(), ...subject }),
      };
    },
  }),
];
