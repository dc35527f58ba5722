import {
  calculateComposition,
  createCompositionRule,
  deleteCompositionRule,
  editCompositionRule,
  getCompositionRule,
  listCompositionRules,
} from '../../../modules/ordering/promotions/composition-rules.ts';
import {
  listServiceRoles,
  replaceServiceRoles,
} from '../../../modules/ordering/promotions/service-roles.ts';
import {
  CompositionAnswer,
  CompositionQuestion,
  CompositionRule,
  CompositionRuleEdit,
  NewCompositionRule,
  ServiceRoles,
  ServiceRolesEdit,
} from '../../../modules/ordering/schemas/requests.ts';
import { Strict } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Service items'], permission: 'ordering.manage' } as const;

const compositionRuleRoutes = defineResource({
  path: '/composition-rules',
  tags: ['Service items'],
  permission: { reads: 'ordering.read', writes: 'ordering.manage' },
  restaurants: 'SHARED',
  item: CompositionRule,
  list: {
    operationId: 'listCompositionRules',
    summary: 'Rules of composition',
    description:
      'For every `everyPersons` persons beyond the first, `freeUnits` units of the item with the role are free. While there is no rule, ' +
      'soy is free for each person, wasabi for every two, and the item for leaving at the door is hidden.',
    sort: ['role', 'createdAt', 'updatedAt'],
    run: ({ db }, page) => listCompositionRules(db, page),
  },
  create: {
    operationId: 'createCompositionRule',
    summary: 'Create a rule of composition',
    description: 'A role has one rule. The first rule replaces all default rules.',
    problems: ['duplicate'],
    body: NewCompositionRule,
    run: createCompositionRule,
  },
  get: {
    operationId: 'getCompositionRule',
    summary: 'One rule of composition',
    run: ({ db }, id) => getCompositionRule(db, id),
  },
  edit: {
    operationId: 'editCompositionRule',
    summary: 'Change a rule of composition',
    description: 'An absent field keeps its value. The role cannot be changed.',
    body: CompositionRuleEdit,
    run: editCompositionRule,
  },
  remove: {
    operationId: 'deleteCompositionRule',
    summary: 'Delete a rule of composition',
    description: 'The role then has its default rule again, if there is one.',
    run: deleteCompositionRule,
  },
});

export const compositionAdminRoutes = [
  ...compositionRuleRoutes,
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
    handler: async ({ body }, { db }) => ({
      status: 200,
      body: await calculateComposition(db, body),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/service-roles',
    permission: 'ordering.read',
    restaurants: 'SHARED',
    operationId: 'listServiceRoles',
    summary: 'Roles of service items',
    description:
      'Items that the server adds to orders by their role, sorted by role. They have one version together.',
    query: Strict({ ...pageQuery, ...sortQuery(['role']) }),
    responses: { 200: ServiceRoles },
    handler: async ({ query }, { db }) => ({
      status: 200,
      body: await listServiceRoles(db, toPage(query)),
    }),
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
      body: await replaceServiceRoles(deps, actor, body, toPage({})),
    }),
  }),
];
