import { Type } from 'typebox';
import {
  checkReward,
  createReward,
  editReward,
  getReward,
  listRewards,
} from '../../../modules/gifts/rewards/rewards.ts';
import { NewReward, Reward, RewardEdit } from '../../../modules/gifts/schemas/gifts.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';

const resourceRoutes = defineResource({
  path: '/rewards',
  tags: ['Gifts'],
  permission: { reads: 'compensations.read', writes: 'compensations.manage' },
  item: Reward,
  list: {
    operationId: 'listRewards',
    summary: 'Rewards',
    description: 'Gifts that clients may be promised, sorted by code.',
    sort: ['code', 'name', 'isActive', 'createdAt', 'updatedAt'],
    filters: {
      is_active: Type.Optional(
        Type.Boolean({
          description: 'Keeps rewards that are active (true) or that are not (false).',
        }),
      ),
    },
    run: ({ db }, page, query) => listRewards(db, { isActive: query.is_active }, page),
  },
  create: {
    operationId: 'createReward',
    summary: 'Create a reward',
    description:
      'A gift is a dish that has the price 0 in the ERP and that no product sells. `health` shows whether it can be given. While the ' +
      'reward is active its item is in no menu.',
    problems: ['duplicate'],
    body: NewReward,
    run: createReward,
  },
  get: {
    operationId: 'getReward',
    summary: 'One reward',
    run: ({ db }, id) => getReward(db, id),
  },
  edit: {
    operationId: 'editReward',
    summary: 'Change a reward',
    description:
      'An absent field keeps its value, and the code cannot be changed. Rights that clients have follow: with another item they are blocked or ' +
      'granted again according to its health.',
    problems: ['duplicate'],
    body: RewardEdit,
    run: editReward,
  },
});

export const rewardRoutes = [
  ...resourceRoutes,
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: '/rewards/{id}/check',
    operationId: 'checkReward',
    summary: 'Check a reward now',
    description:
      'Checks the item of an active reward in each of its restaurants. Rights to a broken gift are blocked, and granted again when ' +
      'it can be given. This check also runs every few minutes.',
    tags: ['Gifts'],
    permission: 'compensations.manage',
    params: IdParams,
    responses: { 200: Reward },
    problems: ['not-found'],
    handler: async ({ params }, deps) => ({
      status: 200,
      body: await checkReward(deps, params.id),
    }),
  }),
];
