import { listOrganizations } from '../../app/storefront/list-organizations.ts';
import { Organization } from '../../contracts/storefront.ts';
import { Page, Strict } from '../../contracts/schemas.ts';
import { defineRoute } from '../http/route.ts';
import { pageQuery, pageOf } from '../http/schemas.ts';

export const publicOrganizationsRoute = defineRoute({
  api: 'public',
  method: 'GET',
  path: '/organizations',
  operationId: 'listOrganizations',
  summary: 'Active organizations',
  description:
    'The list shows every organization that has a menu, sorted by name. Organizations that the ERP no longer lists ' +
    'are left out.',
  tags: ['Organizations'],
  permission: 'public',
  query: Strict(pageQuery),
  responses: { 200: Page(Organization) },
  cacheControl: 'public, max-age=60',
  handler: async ({ query }, { db }) => ({ status: 200, body: await listOrganizations(db, pageOf(query)) }),
});
