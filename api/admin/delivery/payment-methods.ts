import { Type } from 'typebox';
import {
  editPaymentMethod,
  getPaymentMethod,
  listPaymentMethods,
} from '../../../modules/delivery/configuration/payment-methods.ts';
import { PaymentMethod, PaymentMethodEdit } from '../../../modules/delivery/schemas/context.ts';
import { Strict, Words } from '../../../kernel/pure/schemas.ts';
import {
  PAYMENT_CODES,
  type PaymentCode,
} from '../../../modules/delivery/rules/payment-methods.ts';
import { defineResource } from '../../http/resource.ts';

export const paymentMethodRoutes = defineResource({
  path: '/payment-methods',
  params: Strict({
    code: Type.Unsafe<PaymentCode>({ ...Words(PAYMENT_CODES), description: 'The way to pay.' }),
  }),
  tags: ['Ordering'],
  permission: { reads: 'ordering.read', writes: 'ordering.manage' },
  restaurants: 'SHARED',
  item: PaymentMethod,
  list: {
    operationId: 'listPaymentMethods',
    summary: 'Ways to pay',
    description: 'They are in the order in which guests get them.',
    sort: ['code', 'name', 'sortOrder', 'isEnabled'],
    run: ({ db }, page) => listPaymentMethods(db, page),
  },
  get: {
    operationId: 'getPaymentMethod',
    summary: 'One way to pay',
    run: ({ db }, code) => getPaymentMethod(db, code),
  },
  edit: {
    operationId: 'editPaymentMethod',
    summary: 'Change a way to pay',
    description:
      'An absent field keeps its value. `availability` is sent whole: an organization that it does not name does not take ' +
      'this way to pay.',
    bodyLimit: 524_288,
    body: PaymentMethodEdit,
    run: editPaymentMethod,
  },
});
