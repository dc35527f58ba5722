import { Type } from 'typebox';
import { rebindCandidates } from '../../../app/binding/rebind-candidates.ts';
import { rebindVariant } from '../../../app/binding/rebind-variant.ts';
import { BINDING_STATES } from '../../../domain/binding/binding-states.ts';
import { REBIND_MATCHES, REBIND_REASONS } from '../../../domain/binding/rebind-ranking.ts';
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
  Words,
} from '../../http/schemas.ts';

const NullableText = Nullable(Type.String());

const Binding = Type.Object({
  id: Id,
  productId: Id,
  erpItemId: Uuid,
  erpItemSizeId: Id,
  bindingState: Words(BINDING_STATES),
  missingSince: Nullable(Timestamp),
  lastSeenName: NullableText,
  lastSeenSku: NullableText,
  lastSeenPrice: Nullable(Money),
  history: Type.Array(
    Type.Object({ erpItemId: Uuid, erpItemSizeId: Id, sku: NullableText, name: NullableText, boundUntil: Timestamp }),
    { description: 'Previous external items, the latest first' },
  ),
  version: Type.Integer(),
});

const tags = ['Variants'];

const rebindVariantRoute = defineRoute({
  contour: 'admin',
  method: 'POST',
  path: '/variants/{id}/rebind',
  operationId: 'rebindVariant',
  summary: 'Bind a variant to another dish of the ERP',
  description:
    'Closes the open incidents of the variant as REBOUND and adds the previous item to the history. Pictures, texts, places and ' +
    'the status of the product stay as they are. Binding it to the size it has changes nothing. Variants of archived products are removed, not bound again.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: Strict({ erpItemSizeId: Id }),
  responses: { 200: Binding },
  problems: ['not-found', 'item-already-bound', 'duplicate', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await rebindVariant(deps, actor, params.id, body),
  }),
});

const RebindCandidate = Type.Object({
  erpItemId: Uuid,
  erpItemSizeId: Id,
  sku: NullableText,
  name: Type.String(),
  matchedBy: Words(REBIND_MATCHES),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  firstSeenAt: Timestamp,
  reasons: Type.Array(
    Type.Object({
      code: Words(REBIND_REASONS),
      holds: Type.Boolean(),
      value: Nullable(Type.Number({ description: 'NAME: likeness 0 to 1; PRICE: new price to old price' })),
    }),
  ),
});

const rebindCandidatesRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/variants/{id}/rebind-candidates',
  operationId: 'listRebindCandidates',
  summary: 'Dishes a variant could be bound to',
  description:
    'Free dishes with the same sku, or with the same or a similar name in the same group, the surest first, with the reasons for and ' +
    'against each. For a missing item one that came after it counts more than one that stood beside it.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({ ...pageQuery }),
  responses: { 200: Page(RebindCandidate) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await rebindCandidates(db, params.id, pageOf(query)),
  }),
});

export const rebindRoutes = [rebindVariantRoute, rebindCandidatesRoute];
