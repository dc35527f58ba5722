import { Type } from 'typebox';
import { getConnection, listConnections } from '../../../modules/connections/connection-view.ts';
import { createConnection } from '../../../modules/connections/create-connection.ts';
import { switchConnection } from '../../../modules/connections/switch-connection.ts';
import { renameConnection } from '../../../modules/connections/rename-connection.ts';
import { replaceApiLogin } from '../../../modules/connections/replace-api-login.ts';
import {
  ApiLoginEdit,
  Connection,
  ConnectionEdit,
  NewConnection,
} from '../../../modules/connections/schemas/connections.ts';
import { Id, SeenVersion } from '../../../kernel/pure/schemas.ts';
import { defineResource } from '../../http/resource.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';

const tags = ['Connections'];

const resourceRoutes = defineResource({
  path: '/connections',
  tags,
  permission: { reads: 'connections.read', writes: 'connections.manage' },
  item: Connection,
  list: {
    operationId: 'listConnections',
    summary: 'Connections to the ERP',
    description:
      'Connections are listed in the order of their creation, for one legal entity or for all. The credential is ' +
      'never shown.',
    sort: ['name', 'status', 'createdAt', 'updatedAt'],
    filters: { legal_entity_id: Type.Optional(Id) },
    run: (deps, page, query) =>
      listConnections(deps, { ...page, legalEntityId: query.legal_entity_id }),
  },
  create: {
    operationId: 'createConnection',
    summary: 'Create a connection',
    description:
      'The credential is stored encrypted, and the first import starts: organizations, terminals, menus, stop-lists.',
    problems: ['owner-inactive'],
    body: NewConnection,
    run: createConnection,
  },
  get: {
    operationId: 'getConnection',
    summary: 'One connection',
    description: 'The answer does not show the credential.',
    run: ({ db }, id) => getConnection(db, id),
  },
  edit: {
    operationId: 'renameConnection',
    summary: 'Rename a connection',
    description:
      'Only the name can be changed here. The owner never changes; the credential is replaced by another operation.',
    body: ConnectionEdit,
    run: (deps, actor, id, body) => renameConnection(deps, actor, { id, ...body }),
  },
});

const disableConnectionRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/connections/{id}/disable',
  operationId: 'disableConnection',
  summary: 'Disable a connection',
  description:
    'The schedules of the connection end, and running imports are canceled and write nothing more. What was ' +
    'imported stays. A second call changes nothing.',
  tags,
  permission: 'connections.manage',
  params: IdParams,
  body: SeenVersion,
  responses: { 200: Connection },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await switchConnection(deps, actor, 'disable', { id: params.id, version: body.version }),
  }),
});

const enableConnectionRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/connections/{id}/enable',
  operationId: 'enableConnection',
  summary: 'Enable a disabled connection',
  description:
    'The connection keeps its credential, and its imports start again. A second call changes nothing.',
  tags,
  permission: 'connections.manage',
  params: IdParams,
  body: SeenVersion,
  responses: { 200: Connection },
  problems: ['not-found', 'version-conflict', 'owner-inactive'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await switchConnection(deps, actor, 'enable', { id: params.id, version: body.version }),
  }),
});

const replaceApiLoginRoute = defineRoute({
  api: 'admin',
  method: 'PUT',
  path: '/connections/{id}/api-login',
  operationId: 'replaceApiLogin',
  summary: 'Replace the credential of a connection',
  description:
    'The old credential and its token are deleted, and everything is imported again. The answer does not show the ' +
    'credential.',
  tags,
  permission: 'connections.manage',
  params: IdParams,
  body: ApiLoginEdit,
  responses: { 200: Connection },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await replaceApiLogin(deps, actor, { id: params.id, ...body }),
  }),
});

export const connectionRoutes = [
  ...resourceRoutes,
  replaceApiLoginRoute,
  disableConnectionRoute,
  enableConnectionRoute,
];
