import { Problem, type ProblemDetails } from '../../../kernel/problem.ts';
import { PROBLEMS, type ProblemKind } from '../../../kernel/pure/problems.ts';
import { problemBody } from './problem-body.ts';

type Case = { details?: ProblemDetails; instance?: string };

const CASES: Readonly<Partial<Record<ProblemKind, Case>>> = {
  validation: {
    details: {
      errors: [{ field: 'variants.0.erpItemSizeId', code: 'required', message: 'is required' }],
    },
    instance: '/api/admin/v1/erp/items/create-product',
  },
  duplicate: {
    details: { errors: [{ field: 'code', code: 'duplicate', message: 'is taken' }] },
    instance: '/api/admin/v1/badges',
  },
  forbidden: {
    details: {
      detail: 'The permission catalog.write is missing',
      extra: { permission: 'catalog.write' },
    },
    instance: '/api/admin/v1/badges',
  },
  'checkout-blocked': {
    details: {
      extra: {
        reasons: ['QUOTE'],
        differences: [{ field: 'total.toPay', quoted: 850, now: 860.5 }],
      },
    },
    instance: '/api/v1/orders',
  },
  'cart-already-ordered': {
    details: { extra: { orderId: '0d000001-0000-4000-8000-000000000001' } },
    instance: '/api/v1/orders',
  },
  'compensation-taken': {
    details: { extra: { orderId: '0d000001-0000-4000-8000-000000000001' } },
    instance: '/api/admin/v1/compensations/c0000001-0000-4000-8000-000000000001/cancel',
  },
  'reason-required': {
    instance: '/api/admin/v1/compensations/c0000001-0000-4000-8000-000000000001/cancel',
  },
  'grant-limit-reached': { instance: '/api/admin/v1/compensations' },
  'order-not-cancellable': {
    details: { extra: { orderStatus: 'CONFIRMED' } },
    instance: '/api/v1/orders/0d000001-0000-4000-8000-000000000001/cancel',
  },
  'version-conflict': {
    details: { extra: { currentVersion: 4 } },
    instance: '/api/admin/v1/products/7',
  },
  'item-already-bound': {
    details: { extra: { code: 'ITEM_ALREADY_BOUND', boundProduct: { id: 7, name: 'Маргарита' } } },
    instance: '/api/admin/v1/products/9/variants',
  },
  'publish-blocked': {
    details: {
      violations: [
        { code: 'NO_MAIN_IMAGE', message: 'The product has no main image.' },
        { code: 'NO_PLACEMENT', message: 'The product is in no category.' },
      ],
    },
    instance: '/api/admin/v1/products/7/publish',
  },
};

export const PROBLEM_EXAMPLES = Object.fromEntries(
  (Object.keys(PROBLEMS) as ProblemKind[]).map((kind) => {
    const { details = {}, instance = '/api/v1/menu' } = CASES[kind] ?? {};
    const requestId = '0b9f6a52-5b7e-4f0e-9d0c-1f2a3b4c5d6e';
    const value = problemBody(new Problem(kind, details), { instance, requestId });
    return [kind, { summary: PROBLEMS[kind].title, value }] as const;
  }),
) as Record<ProblemKind, { summary: string; value: Record<string, unknown> }>;
