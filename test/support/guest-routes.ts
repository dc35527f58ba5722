import { Type } from 'typebox';
import { defineRoute } from '../../api/http/route.ts';
import { Id, Nullable, Strict, Uuid } from '../../kernel/pure/schemas.ts';
import { once } from '../../kernel/idempotency.ts';
import { addRow } from './rows.ts';

const texts = {
  api: 'public',
  summary: 'Sample',
  description: 'Sample.',
  tags: ['Sample'],
} as const;
const Caller = Type.Object({
  type: Type.String(),
  cartId: Nullable(Uuid),
  customerId: Nullable(Type.String()),
});

export const guestRoutes = [
  defineRoute({
    ...texts,
    method: 'GET',
    path: '/orders',
    operationId: 'listOwnOrders',
    permission: 'customer',
    responses: { 200: Caller },
    // The type checker guarantees the caller.
    handler: async ({ actor }) => ({
      status: 200,
      body: { type: actor.type, cartId: null, customerId: actor.customerId },
    }),
  }),
  defineRoute({
    ...texts,
    method: 'GET',
    path: '/cart',
    operationId: 'getCart',
    permission: 'cart',
    query: Strict({ cart_id: Uuid }),
    responses: { 200: Caller },
    handler: async ({ actor }) => ({
      status: 200,
      body: { type: actor.type, cartId: actor.cartId, customerId: actor.customerId },
    }),
  }),
  defineRoute({
    ...texts,
    method: 'POST',
    path: '/cart',
    operationId: 'changeCart',
    permission: 'cart',
    body: Strict({ cartId: Type.Optional(Uuid) }),
    responses: { 200: Caller },
    handler: async ({ actor }) => {
      // @ts-expect-error a request without an id may come from an unidentified caller
      void (() => actor.type);
      const cartId = actor?.type === 'CART' ? actor.cartId : null;
      return {
        status: 200,
        body: { type: actor?.type ?? 'NOBODY', cartId, customerId: actor?.customerId ?? null },
      };
    },
  }),
  defineRoute({
    ...texts,
    method: 'POST',
    path: '/orders',
    operationId: 'createOrder',
    permission: 'cart',
    idempotent: true,
    body: Strict({ cartId: Uuid, name: Type.String() }),
    responses: { 201: Type.Object({ id: Id }) },
    handler: async ({ body, idempotency }, { db }) => ({
      status: 201,
      body: await db.transaction((tx) =>
        once(tx, idempotency, async () => {
          const { id } = await addRow(tx, 'franchisee', { name: `${body.name} ${Math.random()}` });
          return { id };
        }),
      ),
    }),
  }),
  defineRoute({
    ...texts,
    method: 'POST',
    path: '/callbacks',
    operationId: 'askForCallback',
    permission: 'public',
    body: Strict({ phone: Type.String() }),
    responses: { 200: Type.Object({ accepted: Type.Boolean() }) },
    handler: async ({ actor }) => ({ status: 200, body: { accepted: actor === null } }),
  }),
];
