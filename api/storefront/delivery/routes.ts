import { listOrganizations } from '../../../modules/delivery/list-organizations.ts';
import { Organization, OrderingStatus } from '../../../modules/delivery/schemas/hours.ts';
import { Page, Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { beginningOfSecond } from '../../http/live-path.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { pageOf, pageQuery, sortQuery } from '../../http/schemas.ts';
import { contextRoute } from './context.ts';
import { structuredDataRoute } from './structured-data.ts';

const shared = { api: 'public', method: 'GET', permission: 'public' } as const;

const organizationsRoute = defineRoute({
  ...shared,
  path: '/organizations',
  operationId: 'listOrganizations',
  summary: 'Active organizations',
  description:
    'The list shows every organization that has a menu, sorted by name. Organizations that the ERP no longer lists ' +
    'are left out. `accepting` may be a minute old; `/organizations/{id}/status` is of this moment.',
  tags: ['Organizations'],
  query: Strict({ ...pageQuery, ...sortQuery(['name']) }),
  responses: { 200: Page(Organization) },
  cacheControl: 'public, max-age=60',
  // The intake of organizations depends on the time, so the list is rendered once a second.
  basis: (_request, { clocks }) => `${clocks.version()} at ${beginningOfSecond(Date.now())}`,
  handler: async ({ query }, deps) => ({ status: 200, body: await listOrganizations(deps, pageOf(query), Date.now()) }),
});

const statusRoute = defineRoute({
  ...shared,
  path: '/organizations/{id}/status',
  operationId: 'getOrganizationStatus',
  summary: 'Whether an organization works and takes orders now',
  description:
    'All times have the offset of the organization, so clients need no clock of their own: `nextChangeAt` says when to ' +
    'ask again.',
  tags: ['Organizations'],
  params: Strict({ id: Uuid }),
  responses: { 200: OrderingStatus },
  problems: ['not-found'],
  cacheControl: 'no-store',
  handler: async ({ params }, { clocks }) => ({
    status: 200,
    body: (await clocks.load(params.id.toLowerCase())).status(beginningOfSecond(Date.now())),
  }),
});

/** Routes about organizations and their hours. */
export const fulfillmentRoutes: readonly Route[] = [organizationsRoute, statusRoute, contextRoute, structuredDataRoute];
