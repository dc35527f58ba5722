import { Type } from 'typebox';
import { listExternalMenus, updateExternalMenu } from '../../../app/mirror/external-menus.ts';
import { listOrganizations } from '../../../app/mirror/list-organizations.ts';
import { listPriceCategories } from '../../../app/mirror/list-price-categories.ts';
import { listTerminals } from '../../../app/mirror/list-terminals.ts';
import { defineRoute } from '../../http/route.ts';
import {
  Id,
  IdParams,
  Nullable,
  OrganizationId,
  Page,
  pageOf,
  pageQuery,
  Strict,
  Timestamp,
  Uuid,
  Version,
} from '../../http/schemas.ts';

const tags = ['External system'];
const ofConnection = Strict({ ...pageQuery, connection_id: Type.Optional(Id) });
const Text = Nullable(Type.String());
const Coordinate = Nullable(Type.Number());

const Organization = Type.Object({
  id: Id,
  erpId: Uuid,
  connectionId: Id,
  name: Type.String(),
  code: Text,
  address: Text,
  latitude: Coordinate,
  longitude: Coordinate,
  timeZone: Text,
  synchronizedAt: Timestamp,
  inactiveAt: Nullable(Timestamp),
});

const Terminal = Type.Object({
  id: Id,
  erpId: Uuid,
  organizationId: Id,
  name: Type.String(),
  timeZone: Text,
  isAsleep: Type.Boolean(),
  synchronizedAt: Timestamp,
  inactiveAt: Nullable(Timestamp),
});

const PriceCategory = Type.Object({
  id: Id,
  erpId: Type.String({ description: 'What `priceCategoryId` of an external menu names' }),
  connectionId: Id,
  name: Type.String(),
  synchronizedAt: Timestamp,
  inactiveAt: Nullable(Timestamp),
});

const ExternalMenu = Type.Object({
  id: Id,
  erpId: Type.String(),
  connectionId: Id,
  name: Type.String(),
  isActive: Type.Boolean({ description: 'False when the external system no longer lists it' }),
  isEnabled: Type.Boolean({ description: 'Imported and shown to guests' }),
  organizationIds: Nullable(Type.Array(Id)),
  priceCategoryId: Text,
  priority: Type.Integer({ description: 'The lower one sets the price when two menus price one size' }),
  isAsync: Type.Boolean({ description: 'The external system prepares the menu and is polled for it' }),
  revision: Nullable(Type.Integer()),
  importedAt: Nullable(Timestamp),
  version: Type.Integer(),
});

const listOrganizationsRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/organizations',
  operationId: 'listErpOrganizations',
  summary: 'Organizations of the external system',
  description: 'By name, inactive ones included, of one connection or of all.',
  tags,
  permission: 'sync.read',
  query: ofConnection,
  responses: { 200: Page(Organization) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listOrganizations(db, { ...pageOf(query), connectionId: query.connection_id }),
  }),
});

const listTerminalsRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/terminals',
  operationId: 'listTerminals',
  summary: 'Terminal groups of the external system',
  description: 'By organization and name, those that are gone included, of one organization or of all.',
  tags,
  permission: 'sync.read',
  query: Strict({ ...pageQuery, organization_id: Type.Optional(OrganizationId) }),
  responses: { 200: Page(Terminal) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listTerminals(db, { ...pageOf(query), organizationId: query.organization_id }),
  }),
});

const listPriceCategoriesRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/price-categories',
  operationId: 'listPriceCategories',
  summary: 'Price categories of the external system',
  description: 'By name, of one connection or of all.',
  tags,
  permission: 'sync.read',
  query: ofConnection,
  responses: { 200: Page(PriceCategory) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listPriceCategories(db, { ...pageOf(query), connectionId: query.connection_id }),
  }),
});

const listExternalMenusRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/external-menus',
  operationId: 'listExternalMenus',
  summary: 'External menus with their settings',
  description: '`organizationIds` null means every active organization of the connection.',
  tags,
  permission: 'sync.read',
  query: ofConnection,
  responses: { 200: Page(ExternalMenu) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listExternalMenus(db, { ...pageOf(query), connectionId: query.connection_id }),
  }),
});

const updateExternalMenuRoute = defineRoute({
  contour: 'admin',
  method: 'PATCH',
  path: '/external-menus/{id}',
  operationId: 'updateExternalMenu',
  summary: 'Change the settings of an external menu',
  description:
    'Fields that are left out stay; null clears. The next import asks for everything again, and the menus of the organizations are rebuilt.',
  tags,
  permission: 'settings.manage',
  params: IdParams,
  body: Strict({
    version: Version,
    isEnabled: Type.Optional(Type.Boolean()),
    organizationIds: Type.Optional(Nullable(Type.Array(Id, { minItems: 1, maxItems: 1000 }))),
    priceCategoryId: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100 }))),
    priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    isAsync: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: ExternalMenu },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await updateExternalMenu(deps, actor, params.id, body),
  }),
});

export const referenceRoutes = [
  listOrganizationsRoute,
  listTerminalsRoute,
  listPriceCategoriesRoute,
  listExternalMenusRoute,
  updateExternalMenuRoute,
];
