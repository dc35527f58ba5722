import { Type } from 'typebox';
import {
  listUnauthorized,
  settleUnauthorized,
} from '../../../modules/gifts/orders/unauthorized.ts';
import { OrganizationId, Page, Strict, Words } from '../../../kernel/pure/schemas.ts';
import {
  UnauthorizedDecision,
  UnauthorizedGift,
} from '../../../modules/gifts/schemas/staff-decisions.ts';
import { UNAUTHORIZED_STATUSES } from '../../../modules/gifts/rules/words.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, sortQuery, toPage } from '../../http/schemas.ts';

const tags = ['Gifts without a right'];

export const unauthorizedGiftRoutes = [
  defineRoute({
    api: 'admin',
    method: 'GET',
    path: '/compensations/unauthorized',
    restaurants: 'LISTED',
    operationId: 'listUnauthorizedGifts',
    summary: 'List gifts in orders without a right',
    description:
      'The newest come first. The orders stay as they are: restaurants have taken them. Closed gifts stay in the list.',
    tags,
    permission: 'compensations.read',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['foundAt', 'day', 'kind', 'status', 'name', 'quantity']),
      status: Type.Optional(Words(UNAUTHORIZED_STATUSES)),
      organization_id: Type.Optional(OrganizationId),
    }),
    responses: { 200: Page(UnauthorizedGift) },
    handler: async ({ query, actor: { scope } }, deps) => ({
      status: 200,
      body: await listUnauthorized(
        deps,
        { status: query.status, organizationId: query.organization_id, scope },
        toPage(query),
      ),
    }),
  }),
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: '/compensations/unauthorized/{id}/settle',
    operationId: 'settleUnauthorizedGift',
    summary: 'Decide about a gift without a right',
    description:
      'Records, with a reason, whether the gift was justified. Neither the order nor the rights of its client change. A closed gift is ' +
      '`invalid-transition`.',
    tags,
    permission: 'compensations.manage',
    params: IdParams,
    body: UnauthorizedDecision,
    responses: { 200: UnauthorizedGift },
    problems: ['not-found', 'invalid-transition'],
    handler: async ({ params, body, actor }, deps) => ({
      status: 200,
      body: await settleUnauthorized(deps, actor, params.id, body),
    }),
  }),
];
