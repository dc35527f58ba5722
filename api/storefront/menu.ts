import { Type } from 'typebox';
import { Availability, Menu, MenuEvents, MenuRevision } from '../../modules/menus/schemas/menu.ts';
import { Uuid } from '../../kernel/pure/schemas.ts';
import { HOT_READS } from '../http/hot/hot-target.ts';
import { defineRoute, PREFIXES } from '../http/route.ts';

/** Describes the hot reads. `api/http/hot/hot-path.ts` serves GET and HEAD before Koa. */

const organization = Type.Optional(
  Type.Unsafe<string>({
    ...Uuid,
    description:
      'UUID of the organization. It may be left out while exactly one organization is active.',
  }),
);

/** Other parameters, such as cache keys of a CDN, are ignored. */
const query = Type.Object({ organization_id: organization });

const tags = ['Menu'];

const shared = {
  api: 'public',
  method: 'GET',
  tags,
  permission: 'public',
  problems: ['not-found', 'unavailable'],
} as const;

export const menuRoute = defineRoute({
  ...shared,
  path: '/menu',
  operationId: 'getMenu',
  summary: 'Menu of an organization',
  description:
    'Request the menu once, then poll `/availability` and `/menu/revision` about once a minute, and request the ' +
    'menu again when the revision changes. When `If-None-Match` matches, the answer is 304. `revision` may be sent ' +
    'as a cache key and is ignored. A menu that would be larger than 1 MB leaves out `width`, `height` and `avif` of ' +
    'images, then `nutritionPer100g`, then `composition`, then `description` of all products; `/products/{slug}`, `/products` and `/search` have them.',
  query: Type.Object({
    organization_id: organization,
    revision: Type.Optional(
      Type.String({ description: 'Cache key for clients behind a CDN. The server ignores it.' }),
    ),
  }),
  responses: { 200: Menu },
  rateLimit: 'menu',
  cacheControl: findCacheControl('/menu'),
  handler: answeredBeforeKoa,
});

export const menuRevisionRoute = defineRoute({
  ...shared,
  path: '/menu/revision',
  operationId: 'getMenuRevision',
  summary: 'Revision of the menu',
  description:
    'The revision changes whenever the menu changes, except for changes of the stop-list.',
  query,
  responses: { 200: MenuRevision },
  cacheControl: findCacheControl('/menu/revision'),
  handler: answeredBeforeKoa,
});

export const availabilityRoute = defineRoute({
  ...shared,
  path: '/availability',
  operationId: 'getAvailability',
  summary: 'List what cannot be sold now',
  description:
    'The answer follows the stop-list within seconds. `revision` is the revision of the menu that it belongs to.',
  query,
  responses: { 200: Availability },
  cacheControl: findCacheControl('/availability'),
  handler: answeredBeforeKoa,
});

export const menuStreamRoute = defineRoute({
  ...shared,
  path: '/stream',
  operationId: 'streamMenu',
  summary: 'Changes of a menu as they happen',
  description:
    'Server-sent events. `menu` has the revision of the menu: request `/menu` when it is another one. `availability` has what ' +
    '`/availability` answers. Both are sent when the stream opens and after each change, and the last of them has the id. A ' +
    'client that connects again sends `Last-Event-ID` and gets what has changed. A comment follows every 15 seconds without events. Polling shows the same.',
  query,
  responses: { 200: MenuEvents },
  mediaType: 'text/event-stream',
  problems: ['not-found', 'unavailable', 'rate-limited'],
  cacheControl: 'no-store',
  handler: answeredBeforeKoa,
});

function findCacheControl(path: string): string {
  const read = HOT_READS.find((entry) => entry.path === PREFIXES.public + path);
  if (read === undefined) throw new Error(`${path} is not a hot read`);
  return read.cacheControl;
}

/** Reaching it is a fault of the composition. */
function answeredBeforeKoa(): Promise<never> {
  return Promise.reject(new Error('This operation is answered by the hot path, before Koa.'));
}
