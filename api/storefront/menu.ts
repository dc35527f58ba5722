import { Type, type Static, type TSchema } from 'typebox';
import { readMenu } from '../../app/storefront/read-menu.ts';
import type { Document, Documents } from '../../app/storefront/documents.ts';
import { parsePublished } from '../../domain/snapshot/payload.ts';
import { AvailabilitySchema, MenuRevisionSchema, MenuSchema } from '../../contracts/menu-schema.ts';
import type { Deps } from '../deps.ts';
import { HOT_READS } from '../http/hot-target.ts';
import { defineRoute, PREFIXES } from '../http/route.ts';
import { Uuid } from '../http/schemas.ts';

/**
 * The three hot reads as routes: they document what `api/http/hot-path.ts` answers from buffers before Koa, and answer
 * the same from the tables in a process that has no buffers.
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
  handler: async (request, deps) => ({
    status: 200,
    body: await read(request.query, deps, MenuSchema, (all) => all.menu),
  }),
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
  handler: async (request, deps) => ({
    status: 200,
    body: await read(request.query, deps, MenuRevisionSchema, (all) => all.menuRevision),
  }),
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
  handler: async (request, deps) => ({
    status: 200,
    body: await read(request.query, deps, AvailabilitySchema, (all) => all.availability),
  }),
});

/** One rule for both doors: the cache header of the hot read at this path. */
function cacheControlOf(path: string): string {
  const read = HOT_READS.find((each) => each.path === PREFIXES.public + path);
  if (read === undefined) throw new Error(`${path} is no hot read`);
  return read.cacheControl;
}

async function read<S extends TSchema>(
  { organization_id: erpId }: { organization_id?: string },
  deps: Deps,
  _schema: S,
  choose: (documents: Documents) => Document,
): Promise<Static<S>> {
  const { identity } = choose(await readMenu(deps, erpId?.toLowerCase()));
  // The router's writer takes kopecks, the stored text is already written in roubles.
  return parsePublished<Static<S>>(identity.toString('utf8'));
}
