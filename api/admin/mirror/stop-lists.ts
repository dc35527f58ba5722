import { Type } from 'typebox';
import { listStopLists } from '../../../modules/mirror/list-stop-lists.ts';
import { StopListEntry } from '../../../modules/mirror/schemas/mirror.ts';
import { CursorPage, Id, OrganizationId, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { cursorQuery, sortQuery, toCursorPage } from '../../http/schemas.ts';

export const stopListsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/stop-lists',
  operationId: 'listStopLists',
  summary: 'Stop-lists',
  description:
    'The list shows stopped and limited items of each terminal group, for one organization, one terminal group or ' +
    'all.',
  tags: ['External system'],
  permission: 'sync.read',
  restaurants: 'LISTED',
  query: Strict({
    ...cursorQuery,
    ...sortQuery(['name', 'balance', 'isStopped', 'addedAt', 'organizationId']),
    organization_id: Type.Optional(OrganizationId),
    terminal_id: Type.Optional(Id),
  }),
  responses: { 200: CursorPage(StopListEntry) },
  handler: async ({ query, actor }, { db }) => ({
    status: 200,
    body: await listStopLists(db, {
      ...toCursorPage(query),
      organizationId: query.organization_id,
      terminalId: query.terminal_id,
      scope: actor.scope,
    }),
  }),
});
