import { Type } from 'typebox';
import { readOverview, readReadiness } from '../../../modules/sync-status/read-overview.ts';
import { Overview, Readiness } from '../../../modules/sync-status/schemas/overview.ts';
import { Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { OrganizationParams } from '../../http/schemas.ts';

const shared = {
  api: 'admin',
  method: 'GET',
  tags: ['Ordering'],
  permission: 'ordering.read',
} as const;

export const overviewRoutes = [
  defineRoute({
    ...shared,
    path: '/organizations/overview',
    restaurants: 'LISTED',
    operationId: 'getOrganizationsOverview',
    summary: 'All restaurants at a glance',
    description:
      'All served restaurants by name in one answer: whether they take orders and until when, switches, busy mode, ' +
      'stops, menu, terminals, open orders, and what keeps guests from ordering. `at` moves the hours only.',
    query: Strict({
      at: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Moment for which the hours are evaluated. Now if absent.',
        }),
      ),
    }),
    responses: { 200: Overview },
    handler: async ({ query, actor: { scope } }, deps) => ({
      status: 200,
      body: await readOverview(
        deps,
        scope,
        query.at === undefined ? Date.now() : Date.parse(query.at),
      ),
    }),
  }),
  defineRoute({
    ...shared,
    path: '/organizations/{id}/readiness',
    operationId: 'getReadiness',
    summary: 'Checklist of a new restaurant',
    description:
      'Items in the order in which they are done. `next` is the operation that completes an item. Guests can order ' +
      'when `isReady` is true.',
    params: OrganizationParams,
    responses: { 200: Readiness },
    problems: ['not-found'],
    handler: async ({ params }, deps) => ({
      status: 200,
      body: await readReadiness(deps, params.id),
    }),
  }),
];
