import { Type } from 'typebox';
import {
  checkReward,
  createReward,
  editReward,
  getReward,
  listRewards,
} from '../../../modules/gifts/rewards/rewards.ts';
import { NewReward, Reward, RewardEdit } from '../../../modules/gifts/schemas/gifts.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';

const reads = { api: 'admin', method: 'GET', tags: ['Gifts'], permission: 'compensations.read' } as const;
const manages = { api: 'admin', tags: ['Gifts'], permission: 'compensations.manage' } as const;

/** The gifts that may be promised. */
export const rewardRoutes = [
  defineRoute({
    ...reads,
    path: '/rewards',
    operationId: 'listRewards',
    summary: 'Rewards',
    description: 'Gifts that clients may be promised, sorted by code.',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['code', 'name', 'isActive', 'createdAt', 'updatedAt']),
      is_active: Type.Optional(
        Type.Boolean({ description: 'Keeps rewards that are active (true) or that are not (false).' }),
      ),
    }),
    responses: { 200: Page(Reward) },
    handler: async ({ query }, { db }) => ({
      status: 200,
      body: await listRewards(db, { isActive: query.is_active }, pageOf(query)),
    }),
  }),
  defineRoute({
    ...manages,
    method: 'POST',
    path: '/rewards',
    operationId: 'createReward',
    summary: 'Create a reward',
    description:
      'A gift is a dish that has the price 0 in the ERP and that no product sells. `health` shows whether it can be given. While the ' +
      'reward is active its item is in no menu.',
    idempotent: true,
    body: NewReward,
    responses: { 201: Reward },
    problems: ['duplicate'],
    handler: async ({ body, actor, idempotency }, deps) => ({
      status: 201,
      body: await createReward(deps, actor, body, idempotency),
    }),
  }),
  defineRoute({
    ...reads,
    path: '/rewards/{id}',
    operationId: 'getReward',
    summary: 'One reward',
    description: 'An update has to name `version`.',
    params: IdParams,
    responses: { 200: Reward },
    problems: ['not-found'],
    handler: async ({ params }, { db }) => ({ status: 200, body: await getReward(db, params.id) }),
  }),
  defineRoute({
    ...manages,
    method: 'PATCH',
    path: '/rewards/{id}',
    operationId: 'editReward',
    summary: 'Change a reward',
    description:
      'An absent field keeps its value, and the code cannot be changed. Rights that clients have follow: with another item they are blocked or ' +
      'granted again according to its health.',
    params: IdParams,
    body: RewardEdit,
    responses: { 200: Reward },
    problems: ['not-found', 'version-conflict', 'duplicate'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await editReward(deps, actor, params.id, body),
    }),
  }),
  defineRoute({
    ...manages,
    method: 'POST',
    path: '/rewards/{id}/check',
    operationId: 'checkReward',
    summary: 'Check a reward now',
    description:
      'Checks the item of an active reward in each of its restaurants. Rights to a broken gift are blocked, and granted again when ' +
      'it can be given. This check also runs every few minutes.',
    params: IdParams,
    responses: { 200: Reward },
    problems: ['not-found'],
    handler: async ({ params }, deps) => ({ status: 200, body: await checkReward(deps, params.id) }),
  }),
];
