import { requestedLanguage } from '../../../kernel/guest-language.ts';
import { Type } from 'typebox';
import { invalidField } from '../../../kernel/problem.ts';
import { listOrganizations, type Point } from '../../../modules/delivery/list-organizations.ts';
import { Organization, OrderingStatus } from '../../../modules/delivery/schemas/hours.ts';
import { Page, Strict, Uuid } from '../../../kernel/pure/schemas.ts';
import { beginningOfSecond } from '../../http/live/live-path.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { pageQuery, sortQuery, toPage } from '../../http/schemas.ts';
import { contextRoute } from './context.ts';
import { structuredDataRoute } from './structured-data.ts';

const shared = { api: 'public', method: 'GET', permission: 'public' } as const;

type PointQuery = { lat?: number; lon?: number; sort?: readonly string[] };

/**
 * Returns the location. Problem `validation` for only one coordinate, or for an order by distance
 * without a location.
 */
function toPoint({ lat, lon, sort = [] }: PointQuery): Point | null {
  if (lat !== undefined && lon !== undefined) return { latitude: lat, longitude: lon };
  const isNeeded =
    lat !== undefined || lon !== undefined || sort.some((key) => key.startsWith('distance,'));
  if (isNeeded)
    throw invalidField(
      lat === undefined ? 'lat' : 'lon',
      'required',
      'A distance needs `lat` and `lon`.',
    );

  return null;
}

const organizationsRoute = defineRoute({
  ...shared,
  path: '/organizations',
  operationId: 'listOrganizations',
  summary: 'Active organizations',
  description:
    'The list shows every organization that has a menu, sorted by name. Organizations that the ERP no longer lists ' +
    'are left out. `accepting` may be a minute old; `/organizations/{id}/status` is of this moment. With `lat` and `lon` each ' +
    'organization has `distanceMeters`, and `sort=distance,asc` lists the nearest first.',
  tags: ['Organizations'],
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'distance']),
    lat: Type.Optional(
      Type.Number({ minimum: -90, maximum: 90, description: 'Latitude of the guest, in degrees.' }),
    ),
    lon: Type.Optional(
      Type.Number({
        minimum: -180,
        maximum: 180,
        description: 'Longitude of the guest, in degrees.',
      }),
    ),
  }),
  responses: { 200: Page(Organization) },
  cacheControl: 'public, max-age=60',
  // Lists live for a second, because order intake changes with time. Responses with distances are
  // not stored, because they rarely repeat (rule HTTP-65).
  basis: ({ query }, { clocks }) =>
    query.lat === undefined ? `${clocks.version()} at ${beginningOfSecond(Date.now())}` : null,
  handler: async ({ query }, deps) => {
    const from = toPoint(query);
    const paging = toPage(query, { distance: 'distanceMeters' });
    return { status: 200, body: await listOrganizations(deps, paging, { at: Date.now(), from }) };
  },
});

const statusRoute = defineRoute({
  ...shared,
  path: '/organizations/{id}/status',
  operationId: 'getOrganizationStatus',
  summary: 'Get the current state of an organization',
  description:
    'All times have the offset of the organization, so clients need no clock of their own: `nextChangeAt` is the moment to ' +
    'request it again.',
  tags: ['Organizations'],
  params: Strict({ id: Uuid }),
  responses: { 200: OrderingStatus },
  problems: ['not-found'],
  cacheControl: 'no-store',
  handler: async ({ params }, { clocks }) => ({
    status: 200,
    body: (await clocks.load(params.id.toLowerCase(), requestedLanguage())).status(
      beginningOfSecond(Date.now()),
    ),
  }),
});

export const fulfillmentRoutes: readonly Route[] = [
  organizationsRoute,
  statusRoute,
  contextRoute,
  structuredDataRoute,
];
