import { Type } from 'typebox';
import { endImportPause, listImportPauses, pauseImport } from '../../../modules/mirror/pauses/import-pauses.ts';
import { ImportPause, NewPause } from '../../../modules/mirror/schemas/mirror.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, pageQuery, pageOf, sortQuery } from '../../http/schemas.ts';

const tags = ['Imports'];

const listPausesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/sync/pauses',
  operationId: 'listImportPauses',
  summary: 'Paused imports',
  description: 'The newest pauses come first. With `all` pauses that have ended are listed as well.',
  tags,
  permission: 'sync.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['job', 'createdAt', 'until']),
    all: Type.Optional(Type.Boolean({ default: false })),
  }),
  responses: { 200: Page(ImportPause) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listImportPauses(db, { ...pageOf(query), all: query.all ?? false }),
  }),
});

const pauseRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/sync/pauses',
  operationId: 'pauseImport',
  summary: 'Pause an import',
  description:
    'Schedules, webhooks and reconcilers no longer start the import. A run in progress continues, and the ' +
    'import can still be started manually. MENU without `externalMenuId` pauses all menus of the connection.',
  tags,
  permission: 'sync.run',
  idempotent: true,
  body: NewPause,
  responses: { 201: ImportPause },
  problems: ['not-found', 'duplicate'],
  handler: async ({ body, actor, idempotency }, deps) => ({
    status: 201,
    body: await pauseImport(deps, actor, body, idempotency),
  }),
});

const endPauseRoute = defineRoute({
  api: 'admin',
  method: 'DELETE',
  path: '/sync/pauses/{id}',
  operationId: 'endImportPause',
  summary: 'End a pause',
  description: 'The schedule starts the import again. The pause stays in the history. A second call changes nothing.',
  tags,
  permission: 'sync.run',
  params: IdParams,
  responses: { 204: null },
  problems: ['not-found'],
  handler: async ({ params, actor }, deps) => {
    await endImportPause(deps, actor, params.id);
    return { status: 204 };
  },
});

export const syncPauseRoutes = [listPausesRoute, pauseRoute, endPauseRoute];
