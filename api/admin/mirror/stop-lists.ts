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
  role: Nullable(
    Type.String({ description: 'DISH or MODIFIER. It is null for an item that no imported menu contains.' }),
  ),
  sizeErpId: Nullable(Type.String({ description: 'Size that is stopped. Null stops every size.' })),
  sizeName: Text,
  balance: Type.Number({
    description: 'Number that is left. With 0 or less the item is stopped, otherwise it is sold.',
  }),
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
  description:
    'The list shows stopped and limited items of each terminal group, for one organization, one terminal group or ' +
    'all.',
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
