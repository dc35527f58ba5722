import { Type } from 'typebox';
import {
  listExternalMenus,
  updateExternalMenu,
  listPriceCategories,
} from '../../../modules/mirror/external-menus.ts';
import {
  getStaffOrganization,
  listStaffOrganizations,
} from '../../../modules/delivery/configuration/staff-organizations.ts';
import { listTerminals } from '../../../modules/mirror/terminals.ts';
import {
  ErpOrganization,
  ExternalMenu,
  ExternalMenuEdit,
  PriceCategory,
  Terminal,
} from '../../../modules/mirror/schemas/mirror.ts';
import { Id, OrganizationId, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams, OrganizationParams, pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['External system'];
const ofConnection = { ...pageQuery, connection_id: Type.Optional(Id) };

const listOrganizationsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/organizations',
  operationId: 'listErpOrganizations',
  summary: 'Organizations of the ERP',
  description:
    'Every signed-in user and key of the admin API may read them. Organizations are sorted by name, for one connection or for all. Inactive ones are listed as well, unless `active=true` leaves them out.',
  tags,
  permission: 'staff',
  restaurants: 'LISTED',
  query: Strict({
    ...ofConnection,
    ...sortQuery(['name', 'code', 'synchronizedAt', 'inactiveAt', 'id']),
    active: Type.Optional(
      Type.Boolean({
        description:
          'Keeps organizations that the last list of the ERP contained, or only the others.',
      }),
    ),
  }),
  responses: { 200: Page(ErpOrganization) },
  handler: async ({ query, actor }, deps) => ({
    status: 200,
    body: await listStaffOrganizations(deps, {
      ...toPage(query),
      connectionId: query.connection_id,
      active: query.active,
      scope: actor.scope,
    }),
  }),
});

const getOrganizationRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/organizations/{id}',
  operationId: 'getErpOrganization',
  summary: 'One organization of the ERP',
  description: 'Every signed-in user and key of the admin API may read it.',
  tags,
  permission: 'staff',
  restaurants: 'NAMED',
  params: OrganizationParams,
  responses: { 200: ErpOrganization },
  problems: ['not-found'],
  handler: async ({ params }, deps) => ({
    status: 200,
    body: await getStaffOrganization(deps, params.id),
  }),
});

const listTerminalsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/terminals',
  operationId: 'listTerminals',
  summary: 'Terminal groups of the ERP',
  description:
    'Terminal groups are sorted by organization and name, for one organization or for all. Groups that the ERP no ' +
    'longer has are listed as well.',
  tags,
  permission: 'sync.read',
  query: Strict({
    ...pageQuery,
    ...sortQuery(['name', 'organizationId', 'isAsleep', 'synchronizedAt']),
    organization_id: Type.Optional(OrganizationId),
  }),
  restaurants: 'LISTED',
  responses: { 200: Page(Terminal) },
  handler: async ({ query, actor }, { db }) => ({
    status: 200,
    body: await listTerminals(db, {
      ...toPage(query),
      organizationId: query.organization_id,
      scope: actor.scope,
    }),
  }),
});

const listPriceCategoriesRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/price-categories',
  operationId: 'listPriceCategories',
  summary: 'Price categories of the ERP',
  description: 'Price categories are sorted by name, for one connection or for all.',
  tags,
  permission: 'sync.read',
  query: Strict({ ...ofConnection, ...sortQuery(['name', 'connectionId', 'synchronizedAt']) }),
  responses: { 200: Page(PriceCategory) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listPriceCategories(db, { ...toPage(query), connectionId: query.connection_id }),
  }),
});

const listExternalMenusRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/external-menus',
  operationId: 'listExternalMenus',
  summary: 'External menus with their settings',
  description:
    'If `organizationIds` is null, the menu is for every active organization of the connection.',
  tags,
  permission: 'sync.read',
  query: Strict({
    ...ofConnection,
    ...sortQuery(['name', 'priority', 'isEnabled', 'isActive', 'importedAt']),
  }),
  responses: { 200: Page(ExternalMenu) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listExternalMenus(db, { ...toPage(query), connectionId: query.connection_id }),
  }),
});

const updateExternalMenuRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/external-menus/{id}',
  operationId: 'updateExternalMenu',
  summary: 'Change the settings of an external menu',
  description:
    'An absent field keeps its value, `null` clears it. The next import requests the whole menu again, and the ' +
    'menus of the organizations are rebuilt.',
  tags,
  permission: 'settings.manage',
  params: IdParams,
  body: ExternalMenuEdit,
  responses: { 200: ExternalMenu },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await updateExternalMenu(deps, actor, params.id, body),
  }),
});

export const referenceRoutes = [
  listOrganizationsRoute,
  getOrganizationRoute,
  listTerminalsRoute,
  listPriceCategoriesRoute,
  listExternalMenusRoute,
  updateExternalMenuRoute,
];
