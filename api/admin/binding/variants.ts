import { Type } from 'typebox';
import { addVariant } from '../../../app/binding/add-variant.ts';
import { editVariant } from '../../../app/binding/edit-variant.ts';
import { orderVariants } from '../../../app/binding/order-variants.ts';
import { removeVariant } from '../../../app/binding/remove-variant.ts';
import { listVariants } from '../../../app/binding/variant-views.ts';
import { BINDING_STATES } from '../../../domain/binding/binding-states.ts';
import { defineRoute } from '../../http/route.ts';
import {
  Id,
  IdParams,
  Money,
  Nullable,
  Page,
  pageOf,
  pageQuery,
  Strict,
  Timestamp,
  Uuid,
  Version,
  Words,
} from '../../http/schemas.ts';

const NullableText = Nullable(Type.String());

const Variant = Type.Object({
  id: Id,
  productId: Id,
  erpItemId: Uuid,
  erpItemSizeId: Id,
  option: Nullable(Type.Object({ id: Id, code: Type.String(), name: Type.String(), shortName: NullableText })),
  isDefault: Type.Boolean(),
  position: Type.Integer(),
  bindingState: Words(BINDING_STATES),
  missingSince: Nullable(Timestamp),
  lastSeenName: NullableText,
  lastSeenSku: NullableText,
  lastSeenPrice: Nullable(Money),
  lastSeenAt: Nullable(Timestamp),
  version: Type.Integer(),
});

const tags = ['Variants'];
const VariantParams = Strict({ variant_id: Id });

const listVariantsRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/products/{id}/variants',
  operationId: 'listVariants',
  summary: 'Variants of a product',
  description: 'In their order, with what was last seen of the dish each is bound to.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({ ...pageQuery }),
  responses: { 200: Page(Variant) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await listVariants(db, params.id, pageOf(query)),
  }),
});

const addVariantRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/products/{id}/variants',
  operationId: 'addVariant',
  summary: 'Add a size of a dish to a product',
  description:
    'It becomes the last variant. The first one is the default; a new default takes the mark from the old one. Several variants need an ' +
    'option each, all of one axis; a product without an axis takes that of the option. A dish belongs to one product whichever size is ' +
    'bound: otherwise `item-already-bound` with `code` and `boundProduct`.',
  tags,
  permission: 'catalog.write',
  idempotent: true,
  params: IdParams,
  body: Strict({
    erpItemId: Uuid,
    erpItemSizeId: Id,
    variantOptionId: Type.Optional(Nullable(Id)),
    isDefault: Type.Optional(Type.Boolean({ default: false })),
  }),
  responses: { 201: Variant },
  problems: ['not-found', 'item-already-bound', 'invalid-transition'],
  async handler({ params, body, actor, idempotency }, deps) {
    const { erpItemId, erpItemSizeId, variantOptionId = null, isDefault = false } = body;
    const request = { erpItemId, erpItemSizeId, variantOptionId, isDefault };
    return { status: 201, body: await addVariant(deps, actor, params.id, request, idempotency) };
  },
});

const editVariantRoute = defineRoute({
  contour: 'admin',
  method: 'PATCH',
  path: '/variants/{variant_id}',
  operationId: 'updateVariant',
  summary: 'Change a variant',
  description:
    'Fields that are left out stay. `variantOptionId: null` is possible for the single variant of a product. `isDefault: true` takes the ' +
    'mark from the old default; it cannot be taken away without naming a new one. What a variant is bound to is changed by its rebind.',
  tags,
  permission: 'catalog.write',
  params: VariantParams,
  body: Strict({
    version: Version,
    variantOptionId: Type.Optional(Nullable(Id)),
    isDefault: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Variant },
  problems: ['not-found', 'version-conflict', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await editVariant(deps, actor, params.variant_id, body),
  }),
});

const removeVariantRoute = defineRoute({
  contour: 'admin',
  method: 'DELETE',
  path: '/variants/{variant_id}',
  operationId: 'removeVariant',
  summary: 'Remove a variant',
  description:
    'Its open incidents are closed as VARIANT_REMOVED. The dish is free again, and new to triage, when the product uses no other size of ' +
    'it. The first variant that is left becomes the default one. A published product keeps a live variant: otherwise ' +
    '`invalid-transition` with `violations`. Variants of archived products can be removed, which frees their dishes.',
  tags,
  permission: 'catalog.write',
  params: VariantParams,
  responses: { 204: null },
  problems: ['not-found', 'invalid-transition'],
  async handler({ params, actor }, deps) {
    await removeVariant(deps, actor, params.variant_id);
    return { status: 204 };
  },
});

const orderVariantsRoute = defineRoute({
  contour: 'admin',
  method: 'PUT',
  path: '/products/{id}/variants/order',
  operationId: 'orderVariants',
  summary: 'Order the variants of a product',
  description:
    'Names every variant exactly once. `version` is that of the product, which changes with every variant that is added or removed; ' +
    'the new one is answered.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: Strict({ version: Version, variantIds: Type.Array(Id, { minItems: 1, maxItems: 1_000 }) }),
  responses: { 200: Type.Object({ variantIds: Type.Array(Id), version: Type.Integer() }) },
  problems: ['not-found', 'version-conflict', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await orderVariants(deps, actor, params.id, body),
  }),
});

export const variantRoutes = [
  listVariantsRoute,
  addVariantRoute,
  editVariantRoute,
  removeVariantRoute,
  orderVariantsRoute,
];
