import {
  createExpectationRule,
  deleteExpectationRule,
  editExpectationRule,
  getExpectationRule,
  listExpectationRules,
} from '../../../modules/delivery/configuration/expectation-rules.ts';
import { restaurantsOfExpectation } from '../../../modules/delivery/configuration/restaurants-of-rows.ts';
import {
  ExpectationRule,
  ExpectationRuleEdit,
  NewExpectationRule,
} from '../../../modules/delivery/schemas/context.ts';
import { defineResource } from '../../http/resource.ts';

export const expectationRuleRoutes = defineResource({
  path: '/expectation-rules',
  tags: ['Ordering'],
  permission: { reads: 'ordering.read', writes: 'ordering.manage' },
  restaurants: restaurantsOfExpectation,
  item: ExpectationRule,
  list: {
    operationId: 'listExpectationRules',
    summary: 'Rules of expectation',
    description: 'The newest comes first.',
    sort: ['scope', 'durationMinutes', 'createdAt'],
    run: ({ db }, page) => listExpectationRules(db, page),
  },
  create: {
    operationId: 'createExpectationRule',
    summary: 'Create a rule of expectation',
    description:
      'GLOBAL makes every order longer, CATEGORY those with a dish of `categoryId`. Of several rules the largest counts. Without ' +
      'bounds a rule is active until it is deleted.',
    body: NewExpectationRule,
    run: createExpectationRule,
  },
  get: {
    operationId: 'getExpectationRule',
    summary: 'One rule of expectation',
    run: ({ db }, id) => getExpectationRule(db, id),
  },
  edit: {
    operationId: 'editExpectationRule',
    summary: 'Change a rule of expectation',
    description: 'An absent field keeps its value, `null` clears it. The scope cannot be changed.',
    body: ExpectationRuleEdit,
    run: editExpectationRule,
  },
  remove: {
    operationId: 'deleteExpectationRule',
    summary: 'Delete a rule of expectation',
    description: 'Guests see the difference at once.',
    run: deleteExpectationRule,
  },
});
