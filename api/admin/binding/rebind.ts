import { listBindingHistory } from '../../../modules/binding/binding-history.ts';
import { rebindCandidates } from '../../../modules/binding/rebind-candidates.ts';
import { rebindVariant } from '../../../modules/binding/rebind-variant.ts';
import {
  Binding,
  BindingChange,
  Rebind,
  RebindCandidate,
} from '../../../modules/binding/schemas/binding.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['Variants'];

const rebindVariantRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/variants/{id}/rebind',
  operationId: 'rebindVariant',
  summary: 'Bind a variant to another dish of the ERP',
  description:
    'The open incidents of the variant are closed as REBOUND, and the previous item is added to the history. ' +
    'Images, texts, categories and the status of the product do not change. Binding the variant to the size that it ' +
    'has changes nothing. Variants of archived products can be removed but not bound again.',
  tags,
  permission: 'catalog.write',
  params: IdParams,
  body: Rebind,
  responses: { 200: Binding },
  problems: ['not-found', 'item-already-bound', 'duplicate', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await rebindVariant(deps, actor, params.id, body),
  }),
});

const rebindCandidatesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/variants/{id}/rebind-candidates',
  restaurants: 'SHARED',
  operationId: 'listRebindCandidates',
  summary: 'Dishes that a variant could be bound to',
  description:
    'The list shows free dishes with the same sku, or with the same or a similar name in the same group, each with ' +
    'the reasons for and against it. The best matches come first. When the bound item is missing, a dish that ' +
    'appeared after it ranks above one that was there at the same time.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({ ...pageQuery, ...sortQuery(['name', 'confidence', 'firstSeenAt']) }),
  responses: { 200: Page(RebindCandidate) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await rebindCandidates(db, params.id, toPage(query)),
  }),
});

const bindingHistoryRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/variants/{id}/binding-history',
  restaurants: 'SHARED',
  operationId: 'listBindingHistory',
  summary: 'List the bindings of a variant',
  description:
    'The list shows every change of the dish of a variant, the latest first: who changed it and when, from which dish ' +
    'and size to which, the reason that was given and the incidents that the change has closed. The last change of a ' +
    'removed variant leads to nothing.',
  tags,
  permission: 'catalog.read',
  params: IdParams,
  query: Strict({ ...pageQuery, ...sortQuery(['changedAt']) }),
  responses: { 200: Page(BindingChange) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await listBindingHistory(db, params.id, toPage(query)),
  }),
});

export const rebindRoutes = [rebindVariantRoute, rebindCandidatesRoute, bindingHistoryRoute];
