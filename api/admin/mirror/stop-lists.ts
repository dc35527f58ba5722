import { Type } from 'typebox';
import { listStopLists } from '../../../app/mirror/list-stop-lists.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, Nullable, OrganizationId, Page, pageOf, pageQuery, Strict, Timestamp, Uuid } from '../../http/schemas.ts';

const Text = Nullable(Type.String());

const StopListRow = Type.Object({
  organizationId: Id,
  terminalId: Nullable(Id),
  terminalErpId: Text,
  itemErpId: Uuid,
  name: Text,
  role: Nullable(Type.String({ description: 'DISH or MODIFIER; null for an item that no imported menu contains' })),
  sizeErpId: Nullable(Type.String({ description: 'Null means every size' })),
  sizeName: Text,
  balance: Type.Number({ description: '0 or less: none left; more: so many are left and the item is sold' }),
  isStopped: Type.Boolean(),
  sku: Text,
  addedAt: Nullable(Timestamp),
  synchronizedAt: Nullable(Timestamp),
});

/** The stop-lists as the last import left them. */
export const stopListsRoute = defineRoute({
  contour: 'admin',
  method: 'GET',
  path: '/stop-lists',
  operationId: 'listStopLists',
  summary: 'Stop-lists',
  description: 'Stopped and limited items by terminal group, of one organization, one terminal group or all.',
  tags: ['External system'],
  permission: 'sync.read',
  query: Strict({ ...pageQuery, organization_id: Type.Optional(OrganizationId), terminal_id: Type.Optional(Id) }),
  responses: { 200: Page(StopListRow) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listStopLists(db, {
      ...pageOf(query),
      organizationId: query.organization_id,
      terminalId: query.terminal_id,
    }),
  }),
});
