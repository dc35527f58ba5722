import { Type } from 'typebox';
import { explainProduct } from '../../../app/snapshot/explain-product.ts';
import { PRODUCT_STATUSES } from '../../../domain/catalog/product-states.ts';
import { PRODUCT_CHECKS, VARIANT_CHECKS } from '../../../domain/snapshot/explain.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdParams, Money, Nullable, OrganizationId, Strict, Timestamp, Uuid, Words } from '../../http/schemas.ts';

const NullableText = Nullable(Type.String());

const Fact = Type.Object({
  code: Type.String(),
  holds: Nullable(Type.Boolean({ description: 'True speaks for it, false against it, null only informs' })),
  value: Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  price: Nullable(Money),
  at: Nullable(Timestamp),
  source: Type.String({ description: 'Kind of what the fact was read from' }),
  sourceId: Nullable(Type.Union([Type.String(), Type.Number()])),
});

const Explanation = Type.Object({
  product: Type.Object({ id: Id, name: Type.String(), status: Words(PRODUCT_STATUSES) }),
  organization: Type.Object({ id: Id, erpId: Uuid, name: Type.String() }),
  explainedAt: Timestamp,
  inMenu: Type.Boolean(),
  facts: Type.Array(Fact),
  snapshot: Type.Object({
    revision: Nullable(Id),
    publishedAt: Nullable(Timestamp),
    patchedAt: Nullable(Timestamp),
    pendingSince: Nullable(Timestamp),
    pendingReason: NullableText,
    isBehind: Type.Boolean({ description: 'A rebuild is due: `served` may differ from the verdict until it is done' }),
  }),
  variants: Type.Array(
    Type.Object({
      id: Id,
      optionName: NullableText,
      isDefault: Type.Boolean(),
      inMenu: Type.Boolean(),
      available: Type.Boolean(),
      price: Nullable(Money),
      reason: Words([...PRODUCT_CHECKS, ...VARIANT_CHECKS, 'AVAILABLE'] as const),
      served: Nullable(Type.Object({ available: Type.Boolean(), price: Money })),
      facts: Type.Array(Fact),
    }),
  ),
});

export const explainRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/products/{id}/explain',
  operationId: 'explainProduct',
  summary: 'Why a product is, or is not, in the menu of one restaurant',
  description:
    'For each variant whether it is in the menu, available and priced so, by the rules the menu is built with, and the facts that decide ' +
    'it with their times: state, places, external menus, prices and the run that wrote them, stop-list rows, settings. `reason` is the first ' +
    'condition that does not hold, AVAILABLE when all do. A product without variants has only `facts` of its own: look for the first with ' +
    '`holds: false`. `served` is what guests are shown at this moment.',
  tags: ['Products'],
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({ organization_id: OrganizationId }),
  responses: { 200: Explanation },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await explainProduct(db, params.id, query.organization_id),
  }),
});
