import { Type } from 'typebox';
import { rebindCandidates } from '../../../app/binding/rebind-candidates.ts';
import { rebindVariant } from '../../../app/binding/rebind-variant.ts';
import { BINDING_STATES } from '../../../domain/binding/binding-states.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdParams, Money, Nullable, Strict, Timestamp, Uuid, Words } from '../../http/schemas.ts';
import { Candidate } from './incidents.ts';

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
    'the status of the product stay as they are. Binding it to the size it has changes nothing.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: Strict({ erpItemSizeId: Id }),
  responses: { 200: Binding },
  problems: ['not-found', 'item-already-bound', 'duplicate'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await rebindVariant(deps, actor, params.id, body),
  }),
});

const rebindCandidatesRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/variants/{id}/rebind-candidates',
  operationId: 'listRebindCandidates',
  summary: 'Dishes a variant could be bound to',
  description:
    'Free dishes with the same sku, or the same name and group, the surest first; for a missing item only those that came after it. ' +
    'At most ten, so there is one page.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  responses: { 200: Type.Object({ items: Type.Array(Candidate) }) },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: { items: await rebindCandidates(db, params.id) } }),
});

export const rebindRoutes = [rebindVariantRoute, rebindCandidatesRoute];
