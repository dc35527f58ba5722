import { addVariant } from '../../../modules/catalog/variants/add-variant.ts';
import { editVariant } from '../../../modules/catalog/variants/edit-variant.ts';
import { orderVariants } from '../../../modules/catalog/variants/order-variants.ts';
import { removeVariant } from '../../../modules/catalog/variants/remove-variant.ts';
import { listVariants } from '../../../modules/catalog/variants/variant-views.ts';
import {
  NewVariant,
  VariantEdit,
  VariantOrderEdit,
} from '../../../modules/catalog/schemas/catalog-requests.ts';
import { Variant, VariantOrder } from '../../../modules/catalog/schemas/catalog.ts';
import { Id, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['Variants'];

const listVariantsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/products/{id}/variants',
  restaurants: 'SHARED',
  operationId: 'listVariants',
  summary: 'Variants of a product',
  description: 'Variants are sorted by their position, each with the last data of its dish.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({
    ...pageQuery,
    ...sortQuery(['position', 'bindingState', 'lastSeenName', 'lastSeenAt']),
  }),
  responses: { 200: Page(Variant) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await listVariants(db, params.id, toPage(query)),
  }),
});

const addVariantRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/products/{id}/variants',
  operationId: 'addVariant',
  summary: 'Add a size of a dish to a product',
  description:
    'The size becomes the last variant. The first variant of a product is its default; a new default replaces the ' +
    'old one. When a product has several variants, each needs an option of the same axis; a product without an axis ' +
    'takes the axis of the option. All sizes of a dish belong to one product: when another product has the dish, ' +
    'the answer is `item-already-bound` with `code` and `boundProduct`.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  params: IdParams,
  body: NewVariant,
  responses: { 201: Variant },
  problems: ['not-found', 'item-already-bound', 'invalid-transition'],
  handler: async ({ params, body, actor, idempotency }, deps) => ({
    status: 201,
    body: await addVariant(deps, actor, params.id, body, idempotency),
  }),
});

const orderVariantsRoute = defineRoute({
  api: 'admin',
  method: 'PUT',
  path: '/products/{id}/variants/order',
  operationId: 'orderVariants',
  summary: 'Order the variants of a product',
  description:
    'The request must name every variant exactly once. `version` is the version of the product, which changes with ' +
    'every variant that is added or removed. The answer has the new version.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: VariantOrderEdit,
  responses: { 200: VariantOrder },
  problems: ['not-found', 'version-conflict', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await orderVariants(deps, actor, params.id, body),
  }),
});

const oneVariantRoutes = defineResource({
  path: '/variants',
  params: Strict({ variant_id: Id }),
  tags,
  permission: 'catalog.write',
  item: Variant,
  edit: {
    operationId: 'updateVariant',
    summary: 'Change a variant',
    description:
      'An absent field keeps its value. `variantOptionId: null` is possible for the single variant of a product. ' +
      '`isDefault: true` replaces the old default; `isDefault: false` is rejected, because a product needs a default. ' +
      'Use the rebind to change the dish of a variant. Persons, cutlery and sugar are for the composition of orders; menus ' +
      'do not show them.',
    problems: ['invalid-transition'],
    body: VariantEdit,
    run: editVariant,
  },
  remove: {
    operationId: 'removeVariant',
    summary: 'Remove a variant',
    description:
      'The open incidents of the variant are closed as VARIANT_REMOVED. When the product uses no other size of the ' +
      'dish, the dish is free and new to triage again. When the default variant is removed, the first variant that is ' +
      'left becomes the default. A published product must keep a live variant, otherwise the answer is ' +
      '`invalid-transition` with `violations`. Variants of archived products can be removed, which frees their dishes.',
    problems: ['invalid-transition'],
    run: removeVariant,
  },
});

export const variantRoutes = [
  listVariantsRoute,
  addVariantRoute,
  ...oneVariantRoutes,
  orderVariantsRoute,
];
