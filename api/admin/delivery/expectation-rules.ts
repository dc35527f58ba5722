import {
  createExpectationRule,
  deleteExpectationRule,
  editExpectationRule,
  getExpectationRule,
  listExpectationRules,
} from '../../../modules/delivery/configuration/expectation-rules.ts';
import { restaurantsOfExpectation } from '../../../modules/delivery/configuration/restaurants-of-rows.ts';
import { ExpectationRule, ExpectationRuleEdit, NewExpectationRule } from '../../../modules/delivery/schemas/context.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const shared = { api: 'admin', tags: ['Ordering'], permission: 'ordering.manage' } as const;

export const expectationRuleRoutes = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/expectation-rules',
    permission: 'ordering.read',
    restaurants: 'LISTED',
    operationId: 'listExpectationRules',
    summary: 'Rules of expectation',
    description: 'The newest comes first.',
    query: Strict({ ...pageQuery, ...sortQuery(['scope', 'durationMinutes', 'createdAt']) }),
    responses: { 200: Page(ExpectationRule) },
    handler: async ({ query, actor: { scope } }, { db }) => ({
      status: 200,
      body: await listExpectationRules(db, { ...pageOf(query), scope }),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/expectation-rules',
    restaurants: 'NAMED',
    operationId: 'createExpectationRule',
    summary: 'Create a rule of expectation',
    description:
      'GLOBAL makes every order longer, CATEGORY those with a dish of `categoryId`. Of several rules the largest counts. Without ' +
      'bounds a rule is active until it is deleted.',
    idempotent: true,
    body: NewExpectationRule,
    responses: { 201: ExpectationRule },

    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 201,
      body: await createExpectationRule(deps, actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/expectation-rules/{id}',
    permission: 'ordering.read',
    restaurants: ({ params }, { db }) => restaurantsOfExpectation(db, params.id),
    operationId: 'getExpectationRule',
    summary: 'One rule of expectation',
    description: 'An update has to name `version`.',
    params: IdParams,
    responses: { 200: ExpectationRule },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getExpectationRule(db, params.id) }),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/expectation-rules/{id}',
    restaurants: ({ params }, { db }) => restaurantsOfExpectation(db, params.id),
    operationId: 'editExpectationRule',
    summary: 'Change a rule of expectation',
    description: 'An absent field keeps its value, `null` clears it. The scope cannot be changed.',
    params: IdParams,
    body: ExpectationRuleEdit,
    responses: { 200: ExpectationRule },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editExpectationRule(deps, actor, params.id, body),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/expectation-rules/{id}',
    restaurants: ({ params }, { db }) => restaurantsOfExpectation(db, params.id),
    operationId: 'deleteExpectationRule',
    summary: 'Delete a rule of expectation',
    description: 'Guests see the difference at once.',
    params: IdParams,
    responses: { 204: null },
    problems: ['not-found'],
    async handler({ params, actor }, deps) {
      await deleteExpectationRule(deps, actor, params.id);
      return { status: 204 };
    },
  }),
];
