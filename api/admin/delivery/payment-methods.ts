import { Type } from 'typebox';
import {
  editPaymentMethod,
  getPaymentMethod,
  listPaymentMethods,
} from '../../../modules/delivery/configuration/payment-methods.ts';
import { PaymentMethod, PaymentMethodEdit } from '../../../modules/delivery/schemas/context.ts';
import { Page, Strict, Words } from '../../../kernel/pure/schemas.ts';
import { PAYMENT_CODES, type PaymentCode } from '../../../modules/delivery/rules/payment-methods.ts';
import { defineRoute } from '../../http/route.ts';
import { pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Ordering'], permission: 'ordering.manage' } as const;
const CodeParams = Strict({
  code: Type.Unsafe<PaymentCode>({ ...Words(PAYMENT_CODES), description: 'The way to pay.' }),
});

export const paymentMethodRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/payment-methods',
    permission: 'ordering.read',
    restaurants: 'SHARED',
    operationId: 'listPaymentMethods',
    summary: 'Ways to pay',
    description: 'They are in the order in which guests get them.',
    query: Strict({ ...pageQuery, ...sortQuery(['code', 'name', 'sortOrder', 'isEnabled']) }),
    responses: { 200: Page(PaymentMethod) },
    handler: async ({ query }, { db }) => ({ status: 200, body: await listPaymentMethods(db, pageOf(query)) }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/payment-methods/{code}',
    permission: 'ordering.read',
    restaurants: 'SHARED',
    operationId: 'getPaymentMethod',
    summary: 'One way to pay',
    description: 'An update has to name `version`.',
    params: CodeParams,
    responses: { 200: PaymentMethod },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getPaymentMethod(db, params.code) }),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/payment-methods/{code}',
    operationId: 'editPaymentMethod',
    summary: 'Change a way to pay',
    description:
      'An absent field keeps its value. `availability` is sent whole: an organization that it does not name does not take ' +
      'this way to pay.',
    params: CodeParams,
    body: PaymentMethodEdit,
    bodyLimit: 524_288,
    responses: { 200: PaymentMethod },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editPaymentMethod(deps, actor, params.code, body),
    }),
  }),
];
