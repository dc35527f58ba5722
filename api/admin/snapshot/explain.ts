import { Type } from 'typebox';
import { explainProduct } from '../../../app/snapshot/explain-product.ts';
import { PRODUCT_STATUSES } from '../../../domain/catalog/product-states.ts';
import { PRODUCT_CHECKS, VARIANT_CHECKS } from '../../../domain/snapshot/explain.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdParams, Money, Nullable, OrganizationId, Strict, Timestamp, Uuid, Words } from '../../http/schemas.ts';

const NullableText = Nullable(Type.String());

const Fact = Type.Object({
  code: Type.String(),
  holds: Nullable(
    Type.Boolean({
      description:
        'True when the fact allows the variant to be shown and sold, false when it prevents that, null when the fact ' +
        'only informs.',
    }),
  ),
  value: Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  price: Nullable(Money),
  at: Nullable(Timestamp),
  source: Type.String({ description: 'Kind of the record that the fact was read from.' }),
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
    isBehind: Type.Boolean({
      description: 'True when a rebuild is due. Until it is done, `served` may differ from the verdict.',
    }),
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
  summary: 'Explain why a product is in the menu of a restaurant or is not',
  description:
    'The answer says for each variant whether it is in the menu, whether it is available and what it costs, by the ' +
    'same rules that build the menu. It lists the facts that decide this with their times: status, categories, ' +
    'external menus, prices and the run that wrote them, stop-list rows, settings. `reason` is the first condition ' +
    'that is not met, or AVAILABLE when all are met. For a product without variants only the `facts` of the product ' +
    'are listed: look for the first with `holds: false`. `served` is what guests see at this moment.',
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
