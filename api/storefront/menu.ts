import { Type } from 'typebox';
import { AvailabilitySchema, MenuRevisionSchema, MenuSchema } from '../../contracts/menu-schema.ts';
import { HOT_READS } from '../http/hot-target.ts';
import { defineRoute, PREFIXES } from '../http/route.ts';
import { Uuid } from '../http/schemas.ts';

/**
 * The three hot reads as routes. They only describe, and make other methods of these URLs known: `api/http/hot-path.ts` answers GET
 * and HEAD from buffers before Koa, and there is no second implementation.
 */

const organization = Type.Optional(
  Type.Unsafe<string>({
    ...Uuid,
    description: 'The organization; may be left out while exactly one organization is active',
  }),
);
/** Other parameters are ignored: clients behind a CDN add cache keys. */
const query = Type.Object({ organization_id: organization });

const tags = ['Menu'];
const shared = {
  contour: 'public',
  method: 'GET',
  tags,
  permission: 'public',
  problems: ['not-found', 'unavailable'],
} as const;

export const menuRoute = defineRoute({
  ...shared,
  path: '/menu',
  operationId: 'getMenu',
  summary: 'The whole menu of one organization',
  description:
    'Ask once, then poll `/availability` and `/menu/revision` about once a minute and ask again when the revision changes. ' +
    'A matching `If-None-Match` answers 304. `revision` may be sent as a cache key and is ignored.',
  query: Type.Object({
    organization_id: organization,
    revision: Type.Optional(Type.String({ description: 'Ignored; a cache key for clients behind a CDN' })),
  }),
  responses: { 200: MenuSchema },
  rateLimit: 'menu',
  cacheControl: cacheControlOf('/menu'),
  handler: answeredBeforeKoa,
});

export const menuRevisionRoute = defineRoute({
  ...shared,
  path: '/menu/revision',
  operationId: 'getMenuRevision',
  summary: 'The revision of the menu',
  description: 'Changes with everything but the stop-list.',
  query,
  responses: { 200: MenuRevisionSchema },
  cacheControl: cacheControlOf('/menu/revision'),
  handler: answeredBeforeKoa,
});

export const availabilityRoute = defineRoute({
  ...shared,
  path: '/availability',
  operationId: 'getAvailability',
  summary: 'What cannot be sold now',
  description: 'Follows the stop-list within seconds; the revision is that of the menu it belongs to.',
  query,
  responses: { 200: AvailabilitySchema },
  cacheControl: cacheControlOf('/availability'),
  handler: answeredBeforeKoa,
});

/** One rule for both: the cache header of the hot read at this path. */
function cacheControlOf(path: string): string {
  const read = HOT_READS.find((each) => each.path === PREFIXES.public + path);
  if (read === undefined) throw new Error(`${path} is not a hot read`);
  return read.cacheControl;
}

/** The handler of a hot read: a request that arrives here has passed by the hot path, which is a fault of the composition. */
function answeredBeforeKoa(): Promise<never> {
  return Promise.reject(new Error('This operation is answered by the hot path, before Koa.'));
}
