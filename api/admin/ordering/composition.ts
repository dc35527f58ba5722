import {
  calculateComposition,
  createCompositionRule,
  deleteCompositionRule,
  editCompositionRule,
  getCompositionRule,
  listCompositionRules,
} from '../../../modules/ordering/promotions/composition-rules.ts';
import { listServiceRoles, replaceServiceRoles } from '../../../modules/ordering/promotions/service-roles.ts';
import {
  CompositionAnswer,
  CompositionQuestion,
  CompositionRule,
  CompositionRuleEdit,
  NewCompositionRule,
  ServiceRoles,
  ServiceRolesEdit,
} from '../../../modules/ordering/schemas/requests.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Service items'], permission: 'ordering.manage' } as const;

/** Operations on service items. */
export const compositionAdminRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/composition-rules',
    permission: 'ordering.read',
    restaurants: 'SHARED',
    operationId: 'listCompositionRules',
    summary: 'Rules of composition',
    description:
      'For every `everyPersons` persons beyond the first, `freeUnits` units of the item with the role are free. While there is no rule, ' +
      'soy is free for each person, wasabi for every two, and the item for leaving at the door is hidden.',
    query: Strict({ ...pageQuery, ...sortQuery(['role', 'createdAt', 'updatedAt']) }),
    responses: { 200: Page(CompositionRule) },
    handler: async ({ query }, { db }) => ({ status: 200, body: await listCompositionRules(db, pageOf(query)) }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/composition-rules',
    operationId: 'createCompositionRule',
    summary: 'Create a rule of composition',
    description: 'A role has one rule. The first rule replaces all default rules.',
    idempotent: true,
    body: NewCompositionRule,
    responses: { 201: CompositionRule },
    problems: ['duplicate'],
    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 201,
      body: await createCompositionRule(deps, actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/composition-rules/calculate',
    permission: 'ordering.read',
    restaurants: 'SHARED',
    operationId: 'calculateComposition',
    summary: 'Calculate service items',
    description: 'Applies the current rules to a cart without saving one.',
    body: CompositionQuestion,
    responses: { 200: CompositionAnswer },
    handler: async ({ body }, { db }) => ({ status: 200, body: await calculateComposition(db, body) }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/composition-rules/{id}',
    permission: 'ordering.read',
    restaurants: 'SHARED',
    operationId: 'getCompositionRule',
    summary: 'One rule of composition',
    description: 'An update has to name `version`.',
    params: IdParams,
    responses: { 200: CompositionRule },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getCompositionRule(db, params.id) }),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/composition-rules/{id}',
    operationId: 'editCompositionRule',
    summary: 'Change a rule of composition',
    description: 'An absent field keeps its value. The role cannot be changed.',
    params: IdParams,
    body: CompositionRuleEdit,
    responses: { 200: CompositionRule },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editCompositionRule(deps, actor, params.id, body),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/composition-rules/{id}',
    operationId: 'deleteCompositionRule',
    summary: 'Delete a rule of composition',
    description: 'The role then has its default rule again, if there is one.',
    params: IdParams,
    responses: { 204: null },
    problems: ['not-found'],
    async handler({ params, actor }, deps) {
      await deleteCompositionRule(deps, actor, params.id);
      return { status: 204 };
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/service-roles',
    permission: 'ordering.read',
    restaurants: 'SHARED',
    operationId: 'listServiceRoles',
    summary: 'Roles of service items',
    description: 'Items that the server adds to orders by their role, sorted by role. They have one version together.',
    query: Strict({ ...pageQuery, ...sortQuery(['role']) }),
    responses: { 200: ServiceRoles },
    handler: async ({ query }, { db }) => ({ status: 200, body: await listServiceRoles(db, pageOf(query)) }),
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    path: '/service-roles',
    operationId: 'replaceServiceRoles',
    summary: 'Give items their roles',
    description:
      'Replaces all roles, if `version` is the current one. Each role has an item of the ERP, or a variant, and then follows its binding. An item with a price is never ' +
      'added by the server.',
    body: ServiceRolesEdit,
    responses: { 200: ServiceRoles },
    problems: ['duplicate', 'version-conflict'],
    handler: async ({ body, actor }, deps) => ({
      status: 200,
      body: await replaceServiceRoles(deps, actor, body, pageOf({})),
    }),
  }),
];
